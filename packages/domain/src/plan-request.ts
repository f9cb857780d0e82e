/** A change of plan is made by the customer or approved by an operator. */
export const PLAN_CHANGES = ['self', 'operator'] as const;

export const PLAN_REQUEST_STATUSES = ['open', 'granted', 'refused', 'withdrawn'] as const;
