import { type Static, Type } from 'typebox';
import { CountSchema, Success, TimestampSchema } from './common.js';
import { CurrentUsage } from './usage-api.js';

const PlanSchema = Type.Object(
  {
    name: Type.String(),
    checks_per_month: CountSchema,
    checks_per_second: CountSchema,
    retention_days: CountSchema,
    current: Type.Boolean(),
  },
  { additionalProperties: false },
);

export const SubscriptionReplySchema = Success({
  ...CurrentUsage,
  checks_per_second: CountSchema,
  plans: Type.Array(PlanSchema, { description: 'What can be chosen' }),
});

export const ChangePlanBodySchema = Type.Object(
  { plan: Type.String({ minLength: 1, maxLength: 32, description: 'Name of a plan' }) },
  { additionalProperties: false },
);
export type ChangePlanBody = Static<typeof ChangePlanBodySchema>;

export const StatementSchema = Type.Object(
  {
    month: Type.String({ description: 'YYYY-MM, UTC' }),
    plan: Type.String(),
    entitled: Type.Integer(),
    used: Type.Integer({ description: 'Checks of this month' }),
    adjusted: Type.Integer({ description: 'Late checks of earlier months that are billed here' }),
    over: Type.Integer({ description: 'What goes beyond the plan' }),
    by_decision: Type.Record(Type.String(), Type.Integer()),
    by_key: Type.Record(Type.String(), Type.Integer()),
    closed_at: TimestampSchema,
    checksum: Type.String({ description: 'SHA-256 over the billed fields' }),
  },
  { additionalProperties: false },
);

export const StatementsReplySchema = Success({ statements: Type.Array(StatementSchema) });
export const StatementReplySchema = Success({ statement: StatementSchema });

export const StatementQuerySchema = Type.Object(
  { format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])) },
  { additionalProperties: false },
);
export const MonthParamsSchema = Type.Object({ month: Type.String({ maxLength: 32 }) });
