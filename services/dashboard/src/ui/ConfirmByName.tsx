import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import classes from './Dialog.module.css';
import { ErrorNotice } from './ErrorNotice.tsx';

/** For what cannot be undone: says what stops working and asks for the name. */
export function ConfirmByName({
  title,
  consequence,
  name,
  label,
  action,
  pending,
  error,
  onConfirm,
  onClose,
}: {
  title: string;
  consequence: React.ReactNode;
  name: string;
  /** Of the field, such as "Name of the key". */
  label: string;
  action: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === name) onConfirm();
        }}
      >
        <div>{consequence}</div>
        <TextInput
          label={label}
          description={
            <>
              Type <strong>{name}</strong> to go on.
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {error !== null && <ErrorNotice error={error} />}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" color="red" disabled={typed !== name} loading={pending}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
