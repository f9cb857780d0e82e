import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery, setName } from '../../api/account.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { ACCOUNT_TEXTS, NAME_TEXTS as TEXTS } from './texts.ts';

/** The name of the user, and the way to change it. */
export function Name({ name }: { name: string | null }) {
  const [editing, setEditing] = useState(false);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) => setName(String(form.get('name')).trim() || null),
    onSuccess: async () => {
      setEditing(false);
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <>
      {name ?? ACCOUNT_TEXTS.noName}{' '}
      <Button variant="default" size="compact-xs" aria-label={TEXTS.title} onClick={() => setEditing(true)}>
        {TEXTS.edit}
      </Button>
      {editing && (
        <FormDialog
          title={TEXTS.title}
          submit={TEXTS.submit}
          fields={['name']}
          acting={change}
          onSubmit={change.mutate}
          onClose={() => setEditing(false)}
        >
          <TextInput
            label={ACCOUNT_TEXTS.name}
            name="name"
            defaultValue={name ?? ''}
            maxLength={100}
            autoComplete="name"
            error={fieldError(change.error, 'name', ACCOUNT_TEXTS.name)}
            data-autofocus
          />
        </FormDialog>
      )}
    </>
  );
}
