import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, KEYS, updateKey } from '../../api/keys.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { RENAME_TEXTS as TEXTS } from './texts.ts';

export function RenameKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const client = useQueryClient();
  const renaming = useMutation({
    mutationFn: (name: string) => updateKey(apiKey.id, { name }),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <Modal opened onClose={onClose} title={TEXTS.title}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate(String(new FormData(event.currentTarget).get('name')).trim());
        }}
      >
        <TextInput
          label={TEXTS.name}
          name="name"
          defaultValue={apiKey.name}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
        />
        {renaming.error && <ErrorNotice error={renaming.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button type="submit" loading={renaming.isPending}>
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
