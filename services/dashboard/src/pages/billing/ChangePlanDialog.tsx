import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BILLING, changePlan, type Subscription } from '../../api/billing.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { formatLongDay } from '../../ui/format/format.ts';
import { CHANGE_TEXTS as TEXTS } from './texts.ts';

export function ChangePlanDialog({
  plan,
  subscription,
  onClose,
}: {
  plan: Subscription['plans'][number];
  subscription: Subscription;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const onRequest = subscription.plan_changes === 'operator';
  const smaller = plan.checks_per_month < subscription.checks_included;
  const change = useMutation({
    mutationFn: () => changePlan(plan.name),
    onSuccess: async () => {
      onClose();
      notifications.show(
        onRequest
          ? { title: TEXTS.asked(plan.name), message: TEXTS.operator }
          : smaller
            ? { title: TEXTS.later(plan.name), message: TEXTS.down(formatLongDay(subscription.resets_at)) }
            : { title: TEXTS.done(plan.name), message: TEXTS.immediately },
      );
      await Promise.all([
        client.invalidateQueries({ queryKey: BILLING }),
        client.invalidateQueries({ queryKey: ['overview'] }),
        client.invalidateQueries({ queryKey: ['me'] }),
      ]);
    },
  });
  return (
    <FormDialog
      title={onRequest ? TEXTS.ask(plan.name) : TEXTS.title(plan.name)}
      submit={onRequest ? TEXTS.submitAsk : TEXTS.submit}
      acting={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p>
        {onRequest ? TEXTS.operator : smaller ? TEXTS.down(formatLongDay(subscription.resets_at)) : TEXTS.up}
      </p>
    </FormDialog>
  );
}
