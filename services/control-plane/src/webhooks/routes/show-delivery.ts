import type { WebhookDeliveryView } from '@verdict/contracts/dashboard/webhooks-api.js';
import type { WebhookDeliveryDetail } from '@verdict/db/webhooks/webhook-deliveries.js';

/** A delivery as a list shows it, without what only its own page has. */
export function showDelivery({
  event_created_at: _at,
  data: _data,
  tries: _tries,
  ...delivery
}: WebhookDeliveryDetail): WebhookDeliveryView {
  return delivery;
}
