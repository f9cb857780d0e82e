import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, KEYS, updateKey } from '../../api/keys.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { KeyTermsFields } from './KeyTermsFields.tsx';
import { termsOf } from './key-terms.ts';
import { TERMS_TEXTS as TEXTS } from './texts.ts';

export function KeyTermsDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) => updateKey(apiKey.id, termsOf(form)),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <Modal opened onClose={onClose} title={TEXTS.title(apiKey.name)}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(new FormData(event.currentTarget));
        }}
      >
        <KeyTermsFields of={apiKey} metered={apiKey.mode === 'live'} />
        {change.error && <ErrorNotice error={change.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
