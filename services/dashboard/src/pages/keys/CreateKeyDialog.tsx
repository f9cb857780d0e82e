import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createKey, KEYS } from '../../api/keys.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { KeyTermsFields } from './KeyTermsFields.tsx';
import { termsOf } from './key-terms.ts';
import type { ShownOnce } from './ShownOnceDialog.tsx';
import { CREATE_TEXTS as TEXTS } from './texts.ts';

export function CreateKeyDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (shown: ShownOnce) => void;
}) {
  const client = useQueryClient();
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const creation = useMutation({
    mutationFn: createKey,
    onSuccess: async (made) => {
      onCreated({ name: made.key.name, value: made.api_key, inEffect: made.in_effect, oldValueUntil: null });
      await Promise.all([
        client.invalidateQueries({ queryKey: KEYS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
      ]);
    },
  });
  return (
    <Modal opened onClose={onClose} title={TEXTS.title}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          creation.mutate({ name: String(form.get('name')).trim(), mode, ...termsOf(form) });
        }}
      >
        <TextInput
          label={TEXTS.name}
          description={TEXTS.nameHint}
          name="name"
          maxLength={100}
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
        />
        <NativeSelect
          label={TEXTS.mode}
          value={mode}
          onChange={(event) => setMode(event.currentTarget.value === 'test' ? 'test' : 'live')}
          data={TEXTS.modes}
        />
        <details>
          <summary>{TEXTS.terms}</summary>
          <div className={dialog.form}>
            <KeyTermsFields metered={mode === 'live'} />
          </div>
        </details>
        {creation.error && <ErrorNotice error={creation.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button type="submit" loading={creation.isPending}>
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
