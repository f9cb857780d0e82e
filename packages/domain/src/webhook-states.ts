export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;

/** Why an endpoint is disabled: somebody did it, it answered 410, or it failed for five days. */
export const DISABLED_REASONS = ['user', 'gone', 'failing'] as const;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
