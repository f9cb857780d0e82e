import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, KEYS, updateKey } from '../../api/keys.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
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
    <FormDialog
      title={TEXTS.title}
      submit={TEXTS.submit}
      fields={['name']}
      acting={renaming}
      onSubmit={(form) => renaming.mutate(String(form.get('name')).trim())}
      onClose={onClose}
    >
      <TextInput
        label={TEXTS.name}
        name="name"
        error={fieldError(renaming.error, 'name', TEXTS.name)}
        defaultValue={apiKey.name}
        maxLength={100}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
