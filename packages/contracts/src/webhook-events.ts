import { isNamedEvent } from '@verdict/domain/named-events.js';
import { type Static, type TSchema, Type } from 'typebox';
import { TimestampSchema } from './dashboard/common.js';
import { DecisionSchema } from './decision.js';

const Id = (prefix: string, description: string) =>
  Type.String({ description: `${description}; begins with ${prefix}_` });
const Month = Type.String({ description: 'YYYY-MM, UTC' });
const Data = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

const NullableVersion = Type.Union([Type.Integer(), Type.Null()]);
const KeyData = Data({ key_id: Id('key', 'The API key') });
const CheckData = Data({ log_id: Id('log', 'The check'), key_id: Id('key', 'The API key') });
const JobData = Data({ job_id: Id('job', 'The bulk job') });
const QuotaData = Data({
  month: Month,
  percent: Type.Integer({ description: 'The threshold that was reached' }),
  checks_used: Type.Integer(),
  checks_limit: Type.Integer({ description: 'Checks that the plan includes' }),
});

const BurstData = Data({
  burst_id: Id('bst', 'The burst'),
  kind: Type.String(),
  value: Type.Union([Type.String(), Type.Null()], { description: 'The thing repeated; null for a mailbox' }),
  checks: Type.Integer({ description: 'Checks so far' }),
});

/** All events and the data of their messages: ids, numbers and networks, never an address. */
export const WEBHOOK_EVENTS = {
  'quota.warning': { summary: '80 or 90 percent of the month are used', data: QuotaData },
  'quota.exceeded': { summary: 'The checks of the month are used up', data: QuotaData },
  'job.completed': { summary: 'A bulk job has finished', data: JobData },
  'job.paused': { summary: 'A bulk job waits, for its owner or for checks of the month', data: JobData },
  'job.failed': { summary: 'A bulk job cannot be finished', data: JobData },
  'key.created': { summary: 'An API key was made', data: KeyData },
  'key.rolled': { summary: 'An API key has a new value', data: KeyData },
  'key.revoked': { summary: 'An API key was ended for good', data: KeyData },
  'statement.closed': {
    summary: 'A month was closed and its statement can be read',
    data: Data({ month: Month, checksum: Type.String() }),
  },
  'invoice.issued': {
    summary: 'An invoice or credit note was issued',
    data: Data({ number: Type.String() }),
  },
  'plan.changed': {
    summary: 'Another plan became active',
    data: Data({
      from_plan: Type.String(),
      plan: Type.String(),
      effective_at: TimestampSchema,
    }),
  },
  'policy.changed': {
    summary: 'Another version of the policy is live, or none',
    data: Data({ live: NullableVersion, previous: NullableVersion }),
  },
  'burst.started': { summary: 'Checks repeat something above its usual level', data: BurstData },
  'burst.ended': { summary: 'The repetition is over', data: BurstData },
  'check.blocked': {
    summary: 'A check was decided `block`; only for endpoints that name it',
    data: CheckData,
  },
  'check.revised': {
    summary: 'Public lists changed: checks would be decided differently now',
    data: Data({
      release: Type.String({ description: 'Of the lists' }),
      to: DecisionSchema,
      log_ids: Type.Array(Type.String(), { description: 'At most 500' }),
    }),
  },
  'review.opened': {
    summary: 'A check waits for review; only for endpoints that name it',
    data: CheckData,
  },
  'review.decided': {
    summary: 'A check was reviewed; only for endpoints that name it',
    data: Data({ ...CheckData.properties, outcome: Type.String() }),
  },
  'audit.recorded': {
    summary: 'The audit log has a new entry; only for endpoints that name it',
    data: Data({
      audit_id: Type.String({ description: 'The entry, for finding it in the export' }),
      action: Type.String({ description: 'The action, such as key.revoked' }),
      by: Type.String({ description: 'The id of the user or the key; otherwise `operator` or `system`' }),
      target: Type.Union([Type.String(), Type.Null()], {
        description: 'The id or number of what was changed; null for anything else',
      }),
    }),
  },
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;
export type WebhookData<T extends WebhookEventType> = Static<(typeof WEBHOOK_EVENTS)[T]['data']>;

/** A message as its receiver parses it. */
export type WebhookEvent =
  | { [T in WebhookEventType]: { type: T; timestamp: string; data: WebhookData<T> } }[WebhookEventType]
  | { type: typeof WEBHOOK_TEST_EVENT; timestamp: string; data: { endpoint_id: string } };

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[];

/** The events of an endpoint that names none: all except those that come with single checks. */
export const DEFAULT_WEBHOOK_EVENTS = WEBHOOK_EVENT_TYPES.filter((type) => !isNamedEvent(type));

/** The event of an endpoint's test button, whatever it is subscribed to. */
export const WEBHOOK_TEST_EVENT = 'webhook.test';

/** The body of a message, as Standard Webhooks wants it. */
export const WebhookBodySchema = (type: string, data: TSchema) =>
  Type.Object({
    type: Type.Literal(type),
    timestamp: { ...TimestampSchema, description: 'When it happened, not when it was sent' },
    data,
  });
