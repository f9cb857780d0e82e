import { DELIVERY_STATUSES, DISABLED_REASONS, ENDPOINT_STATUSES } from '@verdict/domain/webhook-states.js';
import { type Static, Type } from 'typebox';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_TEST_EVENT } from '../webhook-events.js';
import {
  CountSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PageQuery,
  PageReply,
  PlainText,
  Success,
  TimestampSchema,
} from './common.js';
import { OVERLAP_SECONDS_MAX } from './keys-api.js';

const EventType = Type.Enum(WEBHOOK_EVENT_TYPES, { description: 'What happened' });
const Events = Type.Array(EventType, {
  minItems: 1,
  uniqueItems: true,
  description: 'Events to receive; all but check.blocked and review.* when left out',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Where messages are sent to, beginning with https://',
});
const Description = Type.Union([PlainText(200, 'Your note'), Type.Null()]);

export const WebhookEndpointSchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with whe_' }),
    url: Type.String(),
    description: NullableStringSchema,
    events: Type.Array(Type.String()),
    status: Type.Enum(ENDPOINT_STATUSES),
    disabled_reason: Type.Union([Type.Enum(DISABLED_REASONS), Type.Null()], {
      description: 'user: by you; gone: it answered 410; failing: five days without a success',
    }),
    disabled_at: NullableTimestampSchema,
    failing_since: { ...NullableTimestampSchema, description: 'The first failure since the last success' },
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);

export const EndpointsReplySchema = Success({
  endpoints: Type.Array(WebhookEndpointSchema),
  endpoints_max: CountSchema,
});
export const EndpointReplySchema = Success({ endpoint: WebhookEndpointSchema });

const Secret = Type.String({ description: 'Begins with whsec_; shown once' });

export const CreateEndpointBodySchema = Type.Object(
  { url: Url, description: Type.Optional(Description), events: Type.Optional(Events) },
  { additionalProperties: false },
);
export const EndpointCreatedSchema = Success({ endpoint: WebhookEndpointSchema, secret: Secret });

export const UpdateEndpointBodySchema = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean({ description: 'false gives up what is on its way' })),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const RollEndpointBodySchema = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        description: 'How long messages carry a signature of the old secret too; a day when left out',
      }),
    ),
  },
  { additionalProperties: false },
);
export const EndpointRolledSchema = Success({
  endpoint: WebhookEndpointSchema,
  secret: Secret,
  old_secret_expires_at: TimestampSchema,
});

export const TestEndpointReplySchema = Success({
  delivery_id: Type.String({ description: 'Where to read what came of it' }),
});

const Moment = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|[+-]\\d{2}:\\d{2})$',
    description,
  });
export const ReplayBodySchema = Type.Object(
  { from: Moment('The first moment, ISO 8601 with an offset'), to: Moment('The moment after the last') },
  { additionalProperties: false },
);
export const REPLAY_EVENTS_MAX = 10_000;

/** Test messages that an account may send in a minute. */
export const TEST_MESSAGES_PER_MINUTE = 10;
export const ReplayReplySchema = Success({ queued: CountSchema });

const STATUS = Type.Enum(DELIVERY_STATUSES);
const ResponseStatus = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Answer of the endpoint',
});
const Fault = { ...NullableStringSchema, description: 'Why it failed; null when it did not' };

const DELIVERY = {
  id: Type.String({ description: 'Begins with whd_' }),
  endpoint_id: Type.String(),
  event_id: Type.String({ description: 'The webhook-id of its messages; begins with evt_' }),
  event_type: Type.String({ description: `Such as key.created, or ${WEBHOOK_TEST_EVENT}` }),
  status: STATUS,
  attempts: CountSchema,
  next_attempt_at: NullableTimestampSchema,
  response_status: ResponseStatus,
  error: Fault,
  finished_at: NullableTimestampSchema,
  created_at: TimestampSchema,
};
export const WebhookDeliverySchema = Type.Object(DELIVERY, { additionalProperties: false });

export const DeliveriesQuerySchema = Type.Object(
  {
    ...PageQuery,
    endpoint: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this endpoint' })),
    status: Type.Optional(STATUS),
    event: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this event type' })),
  },
  { additionalProperties: false },
);
export const DeliveriesReplySchema = Success({
  deliveries: Type.Array(WebhookDeliverySchema),
  ...PageReply,
});

export const DeliveryReplySchema = Success({
  delivery: WebhookDeliverySchema,
  body: Type.Unknown({ description: 'The message' }),
  attempts: Type.Array(
    Type.Object(
      {
        attempted_at: TimestampSchema,
        duration_ms: CountSchema,
        response_status: ResponseStatus,
        error: Fault,
        response_head: { ...NullableStringSchema, description: 'The first bytes of the answer' },
      },
      { additionalProperties: false },
    ),
  ),
});
export const RetryReplySchema = Success({ delivery: WebhookDeliverySchema });

export type WebhookEndpointView = Static<typeof WebhookEndpointSchema>;
export type WebhookDeliveryView = Static<typeof WebhookDeliverySchema>;
