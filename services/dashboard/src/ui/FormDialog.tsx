import { Button, Modal } from '@mantine/core';
import classes from './Dialog.module.css';
import { ErrorNotice } from './ErrorNotice.tsx';

/** A question in a dialog: fields, what went wrong, and the two buttons. The fields are read from the form or kept outside. */
export function FormDialog({
  title,
  submit,
  cancel = 'Cancel',
  danger = false,
  ready = true,
  acting,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  /** What happens, as the button says it. */
  submit: string;
  cancel?: string;
  /** What cannot be undone. */
  danger?: boolean;
  /** False while something is missing without which it cannot be done. */
  ready?: boolean;
  /** The mutation that the form sets off. */
  acting: { readonly isPending: boolean; readonly error: unknown };
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  children: React.ReactNode;
}) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
        {acting.error ? <ErrorNotice error={acting.error} /> : null}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            disabled={!ready}
            loading={acting.isPending}
            {...(danger ? { color: 'red' } : {})}
          >
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
