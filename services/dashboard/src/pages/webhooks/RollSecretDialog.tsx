import { useMutation, useQueryClient } from '@tanstack/react-query';
import { rollEndpoint, WEBHOOKS, type WebhookEndpoint } from '../../api/webhooks.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { OverlapSelect, overlapOf } from '../../ui/OverlapSelect.tsx';
import type { NewSecret } from './NewSecretDialog.tsx';
import { ROLL_TEXTS as TEXTS } from './texts.ts';

export function RollSecretDialog({
  endpoint,
  onClose,
  onRolled,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
  onRolled: (made: NewSecret) => void;
}) {
  const client = useQueryClient();
  const rolling = useMutation({
    mutationFn: (form: FormData) => rollEndpoint(endpoint.id, overlapOf(form)),
    onSuccess: async ({ secret, old_secret_expires_at: oldUntil }) => {
      onClose();
      onRolled({ secret, oldUntil });
      await client.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  return (
    <FormDialog
      title={TEXTS.title}
      submit={TEXTS.submit}
      cancel={TEXTS.cancel}
      acting={rolling}
      onSubmit={rolling.mutate}
      onClose={onClose}
    >
      <p>{TEXTS.text}</p>
      <OverlapSelect label={TEXTS.overlap} />
    </FormDialog>
  );
}
