import { Button, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { grantRequest, OPERATOR, type PlanRequest, refuseRequest } from '../../api/operator.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { REQUESTS_TEXTS as TEXTS } from './texts.ts';

export function DecideDialog({
  request,
  verdict,
  onClose,
}: {
  request: PlanRequest;
  verdict: 'grant' | 'refuse';
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const client = useQueryClient();
  const grants = verdict === 'grant';
  const deciding = useMutation({
    mutationFn: () => (grants ? grantRequest(request.id) : refuseRequest(request.id, reason.trim())),
    onSuccess: async () => {
      onClose();
      notifications.show({ message: grants ? TEXTS.granted : TEXTS.refused });
      await client.invalidateQueries({ queryKey: OPERATOR });
    },
  });
  const title = grants ? TEXTS.grantTitle : TEXTS.refuseTitle;
  return (
    <Modal opened onClose={onClose} title={title(request.account_name, request.plan)}>
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          deciding.mutate();
        }}
      >
        <p>{grants ? TEXTS.grantText : TEXTS.refuseText}</p>
        {!grants && (
          <TextInput
            label={TEXTS.reason}
            description={TEXTS.reasonHint}
            value={reason}
            maxLength={200}
            required
            withAsterisk={false}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {deciding.error && <ErrorNotice error={deciding.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button type="submit" loading={deciding.isPending}>
            {grants ? TEXTS.grantSubmit : TEXTS.refuseSubmit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
