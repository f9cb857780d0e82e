import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateEndpoint, WEBHOOKS, type WebhookEndpoint } from '../../api/webhooks.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { EndpointFields, endpointOf } from './EndpointFields.tsx';
import { ENDPOINT_TEXTS as TEXTS } from './texts.ts';

export function ChangeEndpointDialog({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const changing = useMutation({
    mutationFn: (form: FormData) => updateEndpoint(endpoint.id, endpointOf(form)),
    onSuccess: async () => {
      onClose();
      notifications.show({ message: TEXTS.saved });
      await client.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.editTitle}
      submit={TEXTS.submitEdit}
      fields={['url']}
      acting={changing}
      onSubmit={changing.mutate}
      onClose={onClose}
    >
      <EndpointFields of={endpoint} error={changing.error} />
    </FormDialog>
  );
}
