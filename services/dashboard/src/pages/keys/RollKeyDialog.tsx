import { Button, Modal, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, KEYS, rollKey } from '../../api/keys.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import type { ShownOnce } from './ShownOnceDialog.tsx';
import { ROLL_TEXTS as TEXTS } from './texts.ts';

const A_DAY = '86400';

export function RollKeyDialog({
  apiKey,
  onClose,
  onRolled,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onRolled: (shown: ShownOnce) => void;
}) {
  const [overlap, setOverlap] = useState(A_DAY);
  const client = useQueryClient();
  const rolling = useMutation({
    mutationFn: () => rollKey(apiKey.id, Number(overlap)),
    onSuccess: async (rolled) => {
      onClose();
      onRolled({
        name: rolled.key.name,
        value: rolled.api_key,
        inEffect: rolled.in_effect,
        oldValueUntil: rolled.old_value_expires_at,
      });
      await client.invalidateQueries({ queryKey: KEYS });
    },
  });
  return (
    <Modal opened onClose={onClose} title={TEXTS.title(apiKey.name)}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          rolling.mutate();
        }}
      >
        <p>{TEXTS.text}</p>
        <NativeSelect
          label={TEXTS.overlap}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
          data={TEXTS.choices}
          data-autofocus
        />
        {rolling.error && <ErrorNotice error={rolling.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button type="submit" loading={rolling.isPending}>
            {TEXTS.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
