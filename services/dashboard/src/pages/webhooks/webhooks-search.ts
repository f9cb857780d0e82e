import type { WebhookDelivery } from '../../api/webhooks.ts';

/** The filters of the deliveries as they stand in the address of the page. */
export interface WebhooksSearch {
  readonly endpoint?: string;
  readonly status?: WebhookDelivery['status'];
  readonly event?: string;
}
