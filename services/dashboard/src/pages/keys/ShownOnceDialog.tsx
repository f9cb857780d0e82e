import { Button, Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import dialog from '../../ui/Dialog.module.css';
import { Time } from '../../ui/Time.tsx';
import { VALUE_TEXTS as TEXTS } from './texts.ts';

export interface ShownOnce {
  readonly name: string;
  readonly value: string;
  readonly inEffect: boolean;
  /** Of a rolled key. */
  readonly oldValueUntil: string | null;
}

/** The value of a new or rolled key. It does not close by accident: it cannot be shown again. */
export function ShownOnceDialog({ shown, onClose }: { shown: ShownOnce; onClose: () => void }) {
  const [stored, setStored] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${TEXTS.title}: ${shown.name}`}
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={dialog.form}>
        <p>{TEXTS.text}</p>
        <CodeBlock code={shown.value} label={TEXTS.label} />
        <p role="status">
          {shown.inEffect ? TEXTS.inForce : TEXTS.soon}{' '}
          {shown.oldValueUntil &&
            (new Date(shown.oldValueUntil).getTime() <= Date.now() ? (
              TEXTS.oldEnded
            ) : (
              <>
                {TEXTS.old} <Time at={shown.oldValueUntil} /> UTC.
              </>
            ))}
        </p>
        <Checkbox
          label={TEXTS.stored}
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <div className={dialog.actions}>
          <Button disabled={!stored} onClick={onClose}>
            {TEXTS.done}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
