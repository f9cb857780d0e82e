import { Button } from '@mantine/core';
import { BILLING, type Subscription } from '../../api/billing.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { formatLongDay } from '../../ui/format/format.ts';
import classes from './WaitingPlan.module.css';
import { waitingPlan } from './waiting-plan.ts';

/** A change that is not in force yet: asked for, refused, or to begin with the next month. */
export function WaitingPlan({ subscription }: { subscription: Subscription }) {
  const { plan_request: request, next_plan: next, plan } = subscription;
  const takingBack = useAction(() => call('PUT /billing/subscription/', { body: { plan } }), {
    stale: [BILLING],
  });
  const said =
    request?.status === 'open'
      ? `You requested the ${request.plan} plan. An operator will decide.`
      : next
        ? `The ${next.plan} plan starts on ${formatLongDay(next.effective_at)}.`
        : request?.status === 'refused'
          ? `${`Your request for the ${request.plan} plan was refused.`} ${request.reason ?? ''}`
          : null;
  if (said === null) return null;
  return (
    <div className={classes.waiting} role="status">
      <span>{said}</span>
      {waitingPlan(subscription) !== null && (
        <Button
          variant="default"
          size="compact-xs"
          loading={takingBack.isPending}
          onClick={() => takingBack.mutate()}
        >
          Keep the current plan
        </Button>
      )}
      {takingBack.error && <ErrorNotice error={takingBack.error} />}
    </div>
  );
}
