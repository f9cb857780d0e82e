import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BILLING, changePlan, type Subscription } from '../../api/billing.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { formatLongDay } from '../../ui/format/format.ts';
import { BILLING_TEXTS as TEXTS } from './texts.ts';
import classes from './WaitingPlan.module.css';
import { waitingPlan } from './waiting-plan.ts';

/** A change that is not in force yet: asked for, refused, or to begin with the next month. */
export function WaitingPlan({ subscription }: { subscription: Subscription }) {
  const { plan_request: request, next_plan: next, plan } = subscription;
  const client = useQueryClient();
  const takingBack = useMutation({
    mutationFn: () => changePlan(plan),
    onSuccess: () => client.invalidateQueries({ queryKey: BILLING }),
  });
  const said =
    request?.status === 'open'
      ? TEXTS.openRequest(request.plan)
      : next
        ? TEXTS.nextPlan(next.plan, formatLongDay(next.effective_at))
        : request?.status === 'refused'
          ? `${TEXTS.refusedRequest(request.plan)} ${request.reason ?? ''}`
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
          {TEXTS.takeBack}
        </Button>
      )}
      {takingBack.error && <ErrorNotice error={takingBack.error} />}
    </div>
  );
}
