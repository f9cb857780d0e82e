import { INVOICE_KINDS, INVOICE_STATUSES } from '@verdict/domain/invoice-document.js';
import { OVERAGES } from '@verdict/domain/overage.js';
import { PLAN_CHANGES, PLAN_REQUEST_STATUSES } from '@verdict/domain/plan-request.js';
import { CORRECTION_KINDS } from '@verdict/domain/statement-line.js';
import { type Static, Type } from 'typebox';
import {
  CountSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PlainText,
  Success,
  TimestampSchema,
} from './common.js';
import { CurrentUsage } from './usage-api.js';

const OverageSchema = Type.Enum(OVERAGES, {
  description: 'At the quota: block, or continue up to the cap and bill it',
});

const NextPriceSchema = Type.Object(
  {
    from: Type.String({ description: 'Month, such as 2027-01' }),
    price_month: Type.Integer({ minimum: 0 }),
    price_per_1000_over: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false, description: 'The prices of a later month, where they will change' },
);

const PlanSchema = Type.Object(
  {
    name: Type.String(),
    checks_per_month: CountSchema,
    checks_per_second: CountSchema,
    retention_days: CountSchema,
    bulk_rows_max: Type.Integer({ minimum: 0, description: 'Rows of one file' }),
    bulk_kept_bytes: Type.Integer({ minimum: 0, description: 'Of all kept files' }),
    list_entries: Type.Integer({ minimum: 0, description: 'On each list' }),
    price_month: Type.Integer({ minimum: 0, description: 'In minor units of the currency' }),
    price_per_1000_over: Type.Integer({ minimum: 0, description: 'In minor units of the currency' }),
    overage: OverageSchema,
    checks_cap: Type.Integer({
      minimum: 0,
      description: 'Where checks stop; the quota of a plan that blocks',
    }),
    currency: Type.String({ description: 'ISO 4217' }),
    current: Type.Boolean(),
    next_price: Type.Union([NextPriceSchema, Type.Null()]),
    upgrade: Type.Object(
      { days: Type.Integer(), month_days: Type.Integer(), fee: Type.Integer(), checks: Type.Integer() },
      {
        additionalProperties: false,
        description: 'The rest of this month, today included: its fee and its checks',
      },
    ),
  },
  { additionalProperties: false },
);

const NextPlanSchema = Type.Object(
  { plan: Type.String(), effective_at: TimestampSchema },
  { additionalProperties: false, description: 'A smaller plan that begins with the next month' },
);

export const PlanRequestStatusSchema = Type.Enum(PLAN_REQUEST_STATUSES);

const PlanRequestSchema = Type.Object(
  {
    id: Type.String(),
    plan: Type.String(),
    status: PlanRequestStatusSchema,
    requested_at: TimestampSchema,
    decided_at: NullableTimestampSchema,
    reason: NullableStringSchema,
  },
  { additionalProperties: false, description: 'The newest request for a plan' },
);

export const SubscriptionReplySchema = Success({
  ...CurrentUsage,
  checks_included: Type.Integer({
    minimum: 0,
    description: 'Checks included in the fee',
  }),
  overage: OverageSchema,
  plan_changes: Type.Enum(PLAN_CHANGES, {
    description: 'Who decides about a change',
  }),
  next_plan: Type.Union([NextPlanSchema, Type.Null()]),
  plan_request: Type.Union([PlanRequestSchema, Type.Null()]),
  checks_per_second: CountSchema,
  plans: Type.Array(PlanSchema, { description: 'The available plans' }),
});

export const ChangePlanBodySchema = Type.Object(
  { plan: Type.String({ minLength: 1, maxLength: 32, description: 'Name of a plan' }) },
  { additionalProperties: false },
);

const PlanDaysSchema = Type.Object(
  { plan: Type.String(), from: Type.String(), to: Type.String(), days: Type.Integer() },
  { additionalProperties: false },
);

const StatementLineSchema = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('plan'),
      plan: Type.String(),
      from: Type.String({ description: 'First day' }),
      to: Type.String({ description: 'Last day' }),
      days: Type.Integer(),
      month_days: Type.Integer(),
      price_month: Type.Integer(),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('plan_checks'),
      plan: Type.String(),
      month: Type.Optional(Type.String({ description: 'The month of late checks, YYYY-MM' })),
      checks: Type.Integer({
        description: 'Beyond the days of the plans',
      }),
      of_checks: Type.Integer({ description: 'Of how many' }),
      price: Type.Integer({ description: 'The rest of the monthly fee' }),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('discount'),
      month: Type.Optional(Type.String()),
      percent: Type.Integer(),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('overage'),
      plan: Type.String(),
      month: Type.Optional(Type.String({ description: 'The month of late checks, YYYY-MM' })),
      checks: Type.Integer(),
      price_per_1000: Type.Integer(),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('carried_forward', { description: 'Left to the next statement' }),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('brought_forward'),
      month: Type.String({ description: 'The statement that left it, YYYY-MM' }),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Enum(CORRECTION_KINDS),
      id: Type.Optional(Type.Integer()),
      reason: Type.String(),
      amount: Type.Integer(),
    },
    { additionalProperties: false },
  ),
]);

export const StatementSchema = Type.Object(
  {
    month: Type.String({ description: 'YYYY-MM, UTC' }),
    plan: Type.String(),
    entitled: Type.Integer({ description: 'Checks included, by the days of each plan' }),
    used: Type.Integer({ description: 'Checks of this month' }),
    adjusted: Type.Integer({ description: 'Late checks of earlier months that are billed here' }),
    over: Type.Integer({ description: 'Checks of this month beyond those included' }),
    by_decision: Type.Record(Type.String(), Type.Integer()),
    by_key: Type.Record(Type.String(), Type.Integer()),
    by_tag: Type.Union([Type.Record(Type.String(), Type.Integer()), Type.Null()]),
    plans: Type.Array(PlanDaysSchema, { description: 'The active plans, with their days' }),
    currency: Type.String({ description: 'ISO 4217; amounts are in its minor units' }),
    lines: Type.Array(StatementLineSchema),
    subtotal: Type.Integer(),
    tax_rate: Type.Integer({ description: 'Hundredths of a percent' }),
    tax: Type.Integer(),
    total: Type.Integer(),
    closed_at: TimestampSchema,
    text: Type.String({ description: 'All that is billed' }),
    checksum: Type.String({ description: 'SHA-256 of the text' }),
  },
  { additionalProperties: false },
);

export const StatementsReplySchema = Success({ statements: Type.Array(StatementSchema) });
export const StatementReplySchema = Success({ statement: StatementSchema });

const UpcomingSchema = Type.Object(
  {
    month: Type.String(),
    closes_at: CurrentUsage.resets_at,
    used: Type.Integer(),
    currency: Type.String(),
    lines: Type.Array(StatementLineSchema),
    subtotal: Type.Integer(),
    tax_rate: Type.Integer(),
    tax: Type.Integer(),
    total: Type.Integer(),
    expected: Type.Object(
      { used: Type.Integer(), total: Type.Integer() },
      {
        additionalProperties: false,
        description: 'If the month continues as it began',
      },
    ),
  },
  { additionalProperties: false },
);
export const UpcomingReplySchema = Success({ upcoming: UpcomingSchema });

export const StatementQuerySchema = Type.Object(
  { format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])) },
  { additionalProperties: false },
);
export const MonthParamsSchema = Type.Object({ month: Type.String({ maxLength: 32 }) });

export const InvoiceSchema = Type.Object(
  {
    number: Type.String(),
    kind: Type.Enum(INVOICE_KINDS),
    month: Type.String({ description: 'YYYY-MM, UTC' }),
    issued_on: Type.String({ format: 'date' }),
    due_on: Type.String({ format: 'date' }),
    currency: Type.String({ description: 'ISO 4217; amounts are in its minor units' }),
    lines: Type.Array(StatementLineSchema),
    subtotal: Type.Integer(),
    tax_rate: Type.Integer({ description: 'Hundredths of a percent' }),
    tax: Type.Integer(),
    total: Type.Integer(),
    corrects: Type.Union([Type.String(), Type.Null()], {
      description: 'The invoice that a credit note takes back',
    }),
    checksum: Type.String({ description: 'SHA-256' }),
    status: Type.Optional(
      Type.Enum(INVOICE_STATUSES, {
        description: 'Of an invoice, today',
      }),
    ),
  },
  { additionalProperties: false },
);

export const InvoicesReplySchema = Success({ invoices: Type.Array(InvoiceSchema) });
export const InvoiceReplySchema = Success({ invoice: InvoiceSchema });
export const InvoiceParamsSchema = Type.Object({ number: Type.String({ maxLength: 64 }) });
export const InvoiceQuerySchema = Type.Object(
  {
    format: Type.Optional(
      Type.Union([Type.Literal('json'), Type.Literal('html'), Type.Literal('pdf'), Type.Literal('xml')]),
    ),
  },
  { additionalProperties: false },
);

const SPENDING = {
  checks_cap: Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), Type.Null()], {
    description: 'Where checks of a month stop, at the quota or beyond; null: at the cap of the plan',
  }),
  mail_at: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000 }), {
    maxItems: 5,
    uniqueItems: true,
    description: 'Percentages of the checks of the plan at which a mail goes out, once a month each',
  }),
};
export const SpendingBodySchema = Type.Object(SPENDING, { additionalProperties: false });
export const SpendingReplySchema = Success(SPENDING);

const INVOICE_ADDRESS = {
  name: Type.Union([PlainText(200, 'Person or company'), Type.Null()]),
  address: Type.Union([
    Type.String({
      maxLength: 1000,
      pattern: '^[^\\u0000]*$',
      description: 'Street, place and country, in lines',
    }),
    Type.Null(),
  ]),
  tax_id: Type.Union([PlainText(60, 'VAT number or tax id'), Type.Null()]),
  contact: Type.Union([
    PlainText(200, 'The recipient of the invoices: an email address, or a name'),
    Type.Null(),
  ]),
};

const CountrySchema = Type.Union([
  Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166, two letters' }),
  Type.Null(),
]);
const PoNumberSchema = Type.Union([PlainText(60, 'Your purchase order number'), Type.Null()]);

const RecipientSchema = Type.Object({
  ...INVOICE_ADDRESS,
  country: CountrySchema,
  po_number: PoNumberSchema,
});
/** The recipient of invoices. */
export type Recipient = Static<typeof RecipientSchema>;

/** Fields that earlier releases did not have keep their value when a body leaves them out. */
export const InvoiceAddressBodySchema = Type.Object(
  { ...INVOICE_ADDRESS, country: Type.Optional(CountrySchema), po_number: Type.Optional(PoNumberSchema) },
  { additionalProperties: false },
);
export const InvoiceAddressReplySchema = Success(RecipientSchema.properties);
