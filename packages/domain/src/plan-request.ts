/** Who decides about a change of plan. */
export const PLAN_CHANGES = ['self', 'operator'] as const;

export const PLAN_REQUEST_STATUSES = ['open', 'granted', 'refused', 'withdrawn'] as const;
