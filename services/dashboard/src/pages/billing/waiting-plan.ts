import type { Subscription } from '../../api/billing.ts';

/** The plan that is asked for, or that begins with the next month. */
export const waitingPlan = ({ plan_request: request, next_plan: next }: Subscription): string | null =>
  request?.status === 'open' ? request.plan : (next?.plan ?? null);
