import type { PlanRequestRow } from '@verdict/db/billing/plan-requests.js';

/** A request as the customer sees it; who decided is the operator's business. */
export const showPlanRequest = (request: PlanRequestRow | null) =>
  request && {
    id: request.id,
    plan: request.plan,
    status: request.status,
    requested_at: request.requested_at,
    decided_at: request.decided_at,
    reason: request.reason,
  };
