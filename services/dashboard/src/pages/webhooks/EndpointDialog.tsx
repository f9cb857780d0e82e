import { call } from '../../api/call.ts';
import { WEBHOOKS, type WebhookEndpoint } from '../../api/webhooks.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { EndpointFields, endpointOf } from './EndpointFields.tsx';
import type { NewSecret } from './NewSecretDialog.tsx';

/** Adds an endpoint, or edits `of`. */
export function EndpointDialog({
  of,
  onAdded,
  onClose,
}: {
  of?: WebhookEndpoint;
  onAdded?: (made: NewSecret) => void;
  onClose: () => void;
}) {
  const saving = useAction(
    async (form: FormData) => {
      const body = endpointOf(form);
      if (!of) return (await call('POST /webhooks/endpoints/', { body })).secret;
      await call('PATCH /webhooks/endpoints/:id/', { params: { id: of.id }, body });
      return null;
    },
    {
      stale: [WEBHOOKS],
      ...(of && { done: 'Endpoint saved' }),
      then: (secret) => {
        onClose();
        if (secret) onAdded?.({ secret, oldUntil: null });
      },
    },
  );
  return (
    <FormDialog
      title={of ? 'Edit the endpoint' : 'Add an endpoint'}
      submit={of ? 'Save changes' : 'Add endpoint'}
      fields={['url']}
      action={saving}
      onClose={onClose}
    >
      <EndpointFields {...(of && { of })} error={saving.error} />
    </FormDialog>
  );
}
