import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BILLING, changePlan, type Subscription } from '../../api/billing.ts';
import dialog from '../../ui/Dialog.module.css';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { formatLongDay } from '../../ui/format.ts';
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
            : { title: TEXTS.done(plan.name), message: TEXTS.inForce },
      );
      await Promise.all([
        client.invalidateQueries({ queryKey: BILLING }),
        client.invalidateQueries({ queryKey: ['overview'] }),
        client.invalidateQueries({ queryKey: ['me'] }),
      ]);
    },
  });
  return (
    <Modal opened onClose={onClose} title={onRequest ? TEXTS.ask(plan.name) : TEXTS.title(plan.name)}>
      <div className={dialog.form}>
        <p>
          {onRequest
            ? TEXTS.operator
            : smaller
              ? TEXTS.down(formatLongDay(subscription.resets_at))
              : TEXTS.up}
        </p>
        {change.error && <ErrorNotice error={change.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={onClose}>
            {TEXTS.cancel}
          </Button>
          <Button loading={change.isPending} onClick={() => change.mutate()}>
            {onRequest ? TEXTS.submitAsk : TEXTS.submit}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
