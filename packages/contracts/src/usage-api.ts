import { type Static, Type } from 'typebox';
import { UsageBreakdownSchema } from './control-plane-api.js';

const CountSchema = Type.Integer({ minimum: 0 });

export const UsageResultSchema = Type.Object(
  {
    success: Type.Literal(true),
    plan: Type.String(),
    period: Type.Object(
      { start: Type.String({ format: 'date-time' }), end: Type.String({ format: 'date-time' }) },
      { additionalProperties: false },
    ),
    checks_used: CountSchema,
    checks_limit: CountSchema,
    checks_remaining: CountSchema,
    by_decision: UsageBreakdownSchema.properties.by_decision,
    by_day: UsageBreakdownSchema.properties.by_day,
    resets_at: Type.String({ format: 'date-time' }),
    key: Type.Optional(
      Type.Object(
        { checks_used: CountSchema, checks_limit: CountSchema, checks_remaining: CountSchema },
        { additionalProperties: false, description: 'For a key with its own monthly quota' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type UsageResult = Static<typeof UsageResultSchema>;
