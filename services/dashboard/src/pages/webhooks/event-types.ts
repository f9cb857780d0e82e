import type { TestEventType, WebhookEventType } from '../../api/webhooks.ts';
import { EVENT_TEXTS } from './texts.ts';

export const EVENT_TYPES = Object.keys(EVENT_TEXTS) as WebhookEventType[];

/** What the API chooses for an endpoint that names nothing: all but what comes with every blocked check. */
export const USUAL_EVENT_TYPES = EVENT_TYPES.filter((type) => type !== 'check.blocked');

/** What may stand in the log of deliveries: a test is sent whatever the endpoint is subscribed to. */
export const SENT_EVENT_TYPES: readonly (WebhookEventType | TestEventType)[] = [
  ...EVENT_TYPES,
  'webhook.test',
];
