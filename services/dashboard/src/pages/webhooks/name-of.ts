import type { WebhookEndpoint } from '../../api/webhooks.ts';

/** The name of an endpoint for people: its note, or its URL. */
export const nameOf = ({ url, description }: WebhookEndpoint): string => description ?? url;
