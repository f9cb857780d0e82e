import { MONTH_STATUSES } from '@verdict/domain/month.js';
import { type Static, Type } from 'typebox';
import { DatasetsSchema } from '../datasets.js';
import { PlanRequestStatusSchema } from './billing-api.js';
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

/**
 * The operators' view: accounts, months and the system, never checked addresses. Customers' own addresses are masked
 * (j***@example.com) and found only by their full text.
 */
export const OperatorAccountsQuerySchema = Type.Object(
  {
    ...PageQuery,
    q: Type.Optional(PlainText(254, 'Start of an account id or name, or a whole login address')),
  },
  { additionalProperties: false },
);

const OperatorAccountSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Masked when it is an address' }),
    plan: Type.String(),
    state: Type.Union([Type.Literal('active'), Type.Literal('quiet'), Type.Literal('used_up')], {
      description: 'active: checks this month; quiet: none; used_up: the plan’s checks are spent',
    }),
    checks_used: Type.Integer({ minimum: 0, description: 'This month, by the rollups' }),
    checks_limit: CountSchema,
    keys: Type.Integer({ minimum: 0, description: 'Keys that are not revoked' }),
    last_used_at: { ...NullableTimestampSchema, description: 'Last use of any key, exact to a minute' },
    requested_plan: { ...NullableStringSchema, description: 'The requested plan' },
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type OperatorAccountView = Static<typeof OperatorAccountSchema>;

export const OperatorAccountsReplySchema = Success({
  accounts: Type.Array(OperatorAccountSchema),
  ...PageReply,
});
export const OperatorAccountReplySchema = Success({ account: OperatorAccountSchema });

/** One account as support needs it: people masked, keys without secrets, actions without what they were done to. */
export const OperatorAccountDetailReplySchema = Success({
  account: OperatorAccountSchema,
  suspended_at: NullableTimestampSchema,
  suspended_reason: NullableStringSchema,
  users: Type.Array(
    Type.Object(
      { id: Type.String(), email: Type.String({ description: 'Masked' }), created_at: TimestampSchema },
      { additionalProperties: false },
    ),
  ),
  keys: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        last_four: Type.String(),
        status: Type.String(),
        last_used_at: NullableTimestampSchema,
        client: NullableStringSchema,
      },
      { additionalProperties: false },
    ),
  ),
  events: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        action: Type.String(),
        by: Type.Union([Type.Literal('customer'), Type.Literal('operator'), Type.Literal('system')]),
        created_at: TimestampSchema,
      },
      { additionalProperties: false },
    ),
    { description: 'The last fifty, newest first' },
  ),
  plans: Type.Array(Type.String(), { description: 'What the account can be set to' }),
  mail: Type.Boolean({ description: 'Whether a reset link can be sent' }),
});
export type OperatorAccountDetail = Static<typeof OperatorAccountDetailReplySchema>;

export const SuspendBodySchema = Type.Object(
  { reason: PlainText(200, 'For the audit log') },
  { additionalProperties: false },
);

const OperatorPlanRequestSchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with plr_' }),
    account_id: Type.String(),
    account_name: Type.String({ description: 'Masked when it is an address' }),
    current_plan: Type.String(),
    plan: Type.String({ description: 'The plan that is asked for' }),
    status: PlanRequestStatusSchema,
    requested_at: TimestampSchema,
    decided_at: NullableTimestampSchema,
    reason: { ...NullableStringSchema, description: 'Why it was refused' },
  },
  { additionalProperties: false },
);
export type OperatorPlanRequestView = Static<typeof OperatorPlanRequestSchema>;

export const OperatorPlanRequestsReplySchema = Success({
  requests: Type.Array(OperatorPlanRequestSchema, { description: 'Those that are open, oldest first' }),
});

export const RefuseRequestBodySchema = Type.Object(
  { reason: PlainText(200, 'The answer to the customer') },
  { additionalProperties: false },
);
export const OperatorPlanRequestReplySchema = Success({ request: OperatorPlanRequestSchema });

const OperatorMonthSchema = Type.Object(
  {
    month: Type.String({ description: 'YYYY-MM, UTC' }),
    status: Type.Enum(MONTH_STATUSES),
    closed_at: NullableTimestampSchema,
    accounts: Type.Integer({
      minimum: 0,
      description: 'Statements of a closed month; accounts with checks of an open one',
    }),
    used: CountSchema,
    adjusted: Type.Integer({ description: 'Late checks of earlier months that are billed here' }),
    entitled: { ...Type.Union([Type.Integer(), Type.Null()]), description: 'Null while the month is open' },
    over: { ...Type.Union([Type.Integer(), Type.Null()]), description: 'Null while the month is open' },
    total: {
      ...Type.Union([Type.Integer(), Type.Null()]),
      description: 'In minor units of the currency, tax included; null while the month is open',
    },
    currency: { ...NullableStringSchema, description: 'ISO 4217' },
  },
  { additionalProperties: false },
);
export type OperatorMonthView = Static<typeof OperatorMonthSchema>;
export const OperatorMonthsReplySchema = Success({ months: Type.Array(OperatorMonthSchema) });

const ReconciliationSchema = Type.Object(
  {
    month: Type.String(),
    ran_at: TimestampSchema,
    age_seconds: CountSchema,
    differences: Type.Integer({
      minimum: 0,
      description: 'Accounts that did not add up and were not repaired',
    }),
    repaired: CountSchema,
  },
  { additionalProperties: false },
);

const QueueSchema = Type.Object(
  {
    waiting: CountSchema,
    active: CountSchema,
    delayed: CountSchema,
    failed: CountSchema,
    oldest_seconds: Type.Union([CountSchema, Type.Null()], {
      description: 'Age of the oldest job; null when there is none, or when there are too many to tell',
    }),
    dead_letters: CountSchema,
    observed_at: TimestampSchema,
    age_seconds: Type.Integer({
      minimum: 0,
      description: 'A worker looks every ten seconds: much more and none runs',
    }),
  },
  {
    additionalProperties: false,
    description: 'Check logs on their way to Postgres; null when no worker ever looked',
  },
);

const ClosingSchema = Type.Object(
  {
    month: Type.String({ description: 'YYYY-MM, UTC' }),
    done: Type.Integer({ minimum: 0, description: 'Statements written' }),
    of: Type.Integer({
      minimum: 0,
      description: 'At most this many; equal to `done` when the month is closed',
    }),
    age_seconds: CountSchema,
  },
  { additionalProperties: false, description: 'The last closing; null before the first' },
);

const UnissuedSchema = Type.Object(
  {
    ready: Type.Integer({ minimum: 0, description: 'Invoices of closed months that are being issued' }),
    stopped: Type.Integer({ minimum: 0, description: 'On hold, or without what an invoice needs' }),
    age_seconds: CountSchema,
  },
  { additionalProperties: false, description: 'As the last issuing counted them; null before the first' },
);

const TopAccountSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'Masked when it is an address' }),
    plan: { ...NullableStringSchema, description: 'Null for a deleted account' },
    answered: Type.Integer({ minimum: 0, description: 'Checks, each of a batch; other requests count one' }),
    refused: Type.Integer({ minimum: 0, description: 'The same, answered with 4xx or 5xx' }),
  },
  { additionalProperties: false },
);

const ClientInUseSchema = Type.Object(
  {
    client: Type.String(),
    keys: CountSchema,
    accounts: CountSchema,
  },
  { additionalProperties: false },
);

export const OperatorSystemReplySchema = Success({
  queue: Type.Union([QueueSchema, Type.Null()]),
  closing: Type.Union([ClosingSchema, Type.Null()]),
  unissued: Type.Union([UnissuedSchema, Type.Null()]),
  projections_waiting: Type.Integer({
    minimum: 0,
    description: 'Accounts whose last change has not reached Redis',
  }),
  reconciliations: Type.Array(ReconciliationSchema, {
    description: 'The last run of each month, newest first',
  }),
  datasets: { ...Type.Union([DatasetsSchema, Type.Null()]), description: 'Null when scoring cannot answer' },
  top_accounts: {
    ...Type.Union([Type.Array(TopAccountSchema), Type.Null()]),
    description: 'The ten with the most in five minutes; null when Redis cannot answer',
  },
  clients: Type.Array(ClientInUseSchema, {
    description: 'Of keys that were used within 30 days',
  }),
});
export type OperatorSystemReply = Static<typeof OperatorSystemReplySchema>;
