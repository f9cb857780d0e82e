import { TextInput } from '@mantine/core';
import { call } from '../../api/call.ts';
import { OPERATOR, type PlanRequest } from '../../api/operator.ts';
import { useAction } from '../../ui/action/use-action.ts';
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
  const grants = verdict === 'grant';
  const of = { params: { id: request.id } };
  const deciding = useAction(
    (form: FormData): Promise<unknown> => {
      if (grants) return call('POST /operator/plan-requests/:id/grant/', of);
      const reason = String(form.get('reason')).trim();
      return call('POST /operator/plan-requests/:id/refuse/', { ...of, body: { reason } });
    },
    { stale: [OPERATOR], done: grants ? 'Plan granted' : 'Request refused', then: onClose },
  );
  const title = grants ? TEXTS.grantTitle : TEXTS.refuseTitle;
  return (
    <FormDialog
      title={title(request.account_name, request.plan)}
      submit={grants ? 'Grant plan' : 'Refuse request'}
      action={deciding}
      onClose={onClose}
    >
      <p>
        {grants
          ? 'Upgrades start now, downgrades next month.'
          : 'The plan does not change. The customer sees your reason.'}
      </p>
      {!grants && (
        <TextInput
          label="Reason"
          description="The customer sees it, and it goes into the audit log."
          name="reason"
          maxLength={200}
          required
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
