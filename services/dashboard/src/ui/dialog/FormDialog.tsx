import { Button, Modal } from '@mantine/core';
import { ErrorNotice } from '../error/ErrorNotice.tsx';
import classes from './Dialog.module.css';

export interface FormAction {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly mutate: (form: FormData) => void;
}

/** A form in a dialog: fields, the error, and the two buttons. The fields are read from the form or kept outside. */
export function FormDialog({
  title,
  size,
  submit,
  danger = false,
  ready = true,
  fields = [],
  action,
  onDrop,
  onClose,
  children,
}: {
  title: string;
  size?: number;
  /** The label of the button that submits. */
  submit: string;
  /** For actions that cannot be undone. */
  danger?: boolean;
  /** False while something required is missing. */
  ready?: boolean;
  /** API fields whose errors the form shows at their inputs. */
  fields?: readonly string[];
  /** The action that the form runs, with what its fields hold. */
  action: FormAction;
  /** Takes a file that is dropped on the form. */
  onDrop?: (file: File) => void;
  onClose: () => void;
  children: React.ReactNode;
}) {
  return (
    <Modal opened onClose={onClose} title={title} {...(size ? { size } : {})}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate(new FormData(event.currentTarget));
        }}
        onDragOver={(event) => onDrop && event.preventDefault()}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files;
          if (!onDrop || !file) return;
          event.preventDefault();
          onDrop(file);
        }}
      >
        {children}
        {action.error ? <ErrorNotice error={action.error} fields={fields} /> : null}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={!ready}
            loading={action.isPending}
            {...(danger ? { color: 'red' } : {})}
          >
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
