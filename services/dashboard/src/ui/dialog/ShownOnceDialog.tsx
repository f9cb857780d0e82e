import { Button, Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../copy/CodeBlock.tsx';
import dialog from './Dialog.module.css';

/** A secret that cannot be shown again: the dialog does not close by accident. */
export function ShownOnceDialog({
  title,
  text,
  value,
  label,
  stored,
  onClose,
  children,
}: {
  title: string;
  text: string;
  /** One secret, or one a line. */
  value: string;
  /** The name of the value for screen readers. */
  label: string;
  /** The label of the checkbox that allows closing, such as "I have stored it". */
  stored: string;
  onClose: () => void;
  children?: React.ReactNode;
}) {
  const [isStored, setStored] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={dialog.form}>
        <p>{text}</p>
        <CodeBlock code={value} label={label} tall />
        {children}
        <Checkbox
          label={stored}
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <div className={dialog.actions}>
          <Button disabled={!isStored} onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Modal>
  );
}
