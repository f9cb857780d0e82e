import { isNamedEvent } from '@verdict/domain/named-events.js';
import type { TestEventType, WebhookEventType } from '../../api/webhooks.ts';
import { EVENT_TEXTS } from './texts.ts';

export const EVENT_TYPES = Object.keys(EVENT_TEXTS) as WebhookEventType[];

/** The events of an endpoint that names none: all except those that come with single checks. */
export const USUAL_EVENT_TYPES = EVENT_TYPES.filter((type) => !isNamedEvent(type));

/** The events in the log of deliveries. A test is sent whatever the endpoint subscribes to. */
export const SENT_EVENT_TYPES: readonly (WebhookEventType | TestEventType)[] = [
  ...EVENT_TYPES,
  'webhook.test',
];
