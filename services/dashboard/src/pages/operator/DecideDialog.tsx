import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { grantRequest, OPERATOR, type PlanRequest, refuseRequest } from '../../api/operator.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
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
  const client = useQueryClient();
  const grants = verdict === 'grant';
  const deciding = useMutation({
    mutationFn: (form: FormData) =>
      grants ? grantRequest(request.id) : refuseRequest(request.id, String(form.get('reason')).trim()),
    onSuccess: async () => {
      onClose();
      notifications.show({ message: grants ? TEXTS.granted : TEXTS.refused });
      await client.invalidateQueries({ queryKey: OPERATOR });
    },
  });
  const title = grants ? TEXTS.grantTitle : TEXTS.refuseTitle;
  return (
    <FormDialog
      title={title(request.account_name, request.plan)}
      submit={grants ? TEXTS.grantSubmit : TEXTS.refuseSubmit}
      acting={deciding}
      onSubmit={deciding.mutate}
      onClose={onClose}
    >
      <p>{grants ? TEXTS.grantText : TEXTS.refuseText}</p>
      {!grants && (
        <TextInput
          label={TEXTS.reason}
          description={TEXTS.reasonHint}
          name="reason"
          maxLength={200}
          required
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
