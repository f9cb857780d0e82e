import { call } from '../../api/call.ts';
import { type ApiKey, KEYS } from '../../api/keys.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { oldValueLine } from './old-value-line.ts';

/** Ends the old value of a rolled key before its time. */
export function EndOldValue({
  apiKey: { id, name },
  oldValue,
  onClose,
}: {
  apiKey: ApiKey;
  oldValue: NonNullable<ApiKey['old_value']>;
  onClose: () => void;
}) {
  const ending = useAction(
    (_: FormData) => call('DELETE /dashboard/keys/:id/old-value/', { params: { id } }),
    {
      stale: [KEYS],
      done: { title: `Old value of ${name} ended`, message: 'Requests with it are refused.' },
      then: onClose,
    },
  );
  return (
    <FormDialog
      title={`End the old value of ${name}`}
      submit="End old value"
      danger
      action={ending}
      onClose={onClose}
    >
      <p>{oldValueLine(oldValue, Date.now())}</p>
      <p>Requests with the old value are refused immediately. You cannot undo this.</p>
    </FormDialog>
  );
}
