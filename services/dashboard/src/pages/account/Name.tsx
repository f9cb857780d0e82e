import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ME } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** The name of the user, and the way to change it. */
export function Name({ name }: { name: string | null }) {
  const [editing, setEditing] = useState(false);
  const change = useAction(
    (form: FormData) =>
      call('PATCH /auth/users/me/', { body: { name: String(form.get('name')).trim() || null } }),
    { stale: [ME], then: () => setEditing(false) },
  );
  return (
    <>
      {name ?? 'not set'}{' '}
      <Button
        variant="default"
        size="compact-xs"
        aria-label="Change your name"
        onClick={() => setEditing(true)}
      >
        Change
      </Button>
      {editing && (
        <FormDialog
          title="Change your name"
          submit="Save name"
          fields={['name']}
          action={change}
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
