import { Button, Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import dialog from '../../ui/Dialog.module.css';
import { SECOND_FACTOR_TEXTS as TEXTS } from './texts.ts';

/** Does not close by accident: the codes cannot be shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [stored, setStored] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={TEXTS.codes}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <div className={dialog.form}>
        <p>{TEXTS.codesText}</p>
        <CodeBlock code={codes.join('\n')} label={TEXTS.codes} tall />
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
