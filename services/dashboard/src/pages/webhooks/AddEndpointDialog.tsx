import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createEndpoint, WEBHOOKS } from '../../api/webhooks.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { EndpointFields, endpointOf } from './EndpointFields.tsx';
import type { NewSecret } from './NewSecretDialog.tsx';
import { ENDPOINT_TEXTS as TEXTS } from './texts.ts';

export function AddEndpointDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (made: NewSecret) => void;
}) {
  const client = useQueryClient();
  const adding = useMutation({
    mutationFn: (form: FormData) => createEndpoint(endpointOf(form)),
    onSuccess: async ({ secret }) => {
      onAdded({ secret, oldUntil: null });
      await client.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.addTitle}
      submit={TEXTS.submitAdd}
      fields={['url']}
      acting={adding}
      onSubmit={adding.mutate}
      onClose={onClose}
    >
      <EndpointFields error={adding.error} />
    </FormDialog>
  );
}
