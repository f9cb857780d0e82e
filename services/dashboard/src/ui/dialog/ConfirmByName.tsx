import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FormAction, FormDialog } from './FormDialog.tsx';

/** For what cannot be undone: says what stops working and asks for the name. */
export function ConfirmByName({
  title,
  consequence,
  name,
  label,
  submit,
  fields = [],
  action,
  onClose,
  children,
}: {
  title: string;
  consequence: string;
  name: string;
  /** Of the field, such as "Name of the key". */
  label: string;
  submit: string;
  /** API fields whose errors the children show. */
  fields?: readonly string[];
  action: FormAction;
  onClose: () => void;
  /** Inputs beside the name. */
  children?: React.ReactNode;
}) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      submit={submit}
      danger
      ready={typed === name}
      fields={fields}
      action={action}
      onClose={onClose}
    >
      <p>{consequence}</p>
      {children}
      <TextInput
        label={label}
        description={
          <>
            Type <strong>{name}</strong> to confirm.
          </>
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
