import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from './FormDialog.tsx';

/** For what cannot be undone: says what stops working and asks for the name. */
export function ConfirmByName({
  title,
  consequence,
  name,
  label,
  action,
  fields = [],
  acting,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  consequence: string;
  name: string;
  /** Of the field, such as "Name of the key". */
  label: string;
  action: string;
  /** API fields whose errors the children show. */
  fields?: readonly string[];
  /** The mutation that it sets off. */
  acting: { readonly isPending: boolean; readonly error: unknown };
  onConfirm: () => void;
  onClose: () => void;
  /** Inputs beside the name. */
  children?: React.ReactNode;
}) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      submit={action}
      danger
      ready={typed === name}
      fields={fields}
      acting={acting}
      onSubmit={onConfirm}
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
