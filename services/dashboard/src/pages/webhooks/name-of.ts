import type { WebhookEndpoint } from '../../api/webhooks.ts';

/** What people call an endpoint: their note, or where it is. */
export const nameOf = ({ url, description }: WebhookEndpoint): string => description ?? url;
