import { TAGS_PER_MONTH_MAX } from '@verdict/domain/check-tag.js';
import { type Static, Type } from 'typebox';
import { UsageBreakdownSchema } from '../control-plane-api.js';
import { DecisionSchema } from '../decision.js';
import { idPattern } from '../id-pattern.js';
import { CountSchema, Success } from './common.js';
import { ApiKeySchema } from './keys-api.js';

/** Sums of one JSON answer. */
export const SUMS_MAX = 5_000;

const DateSchema = Type.String({ maxLength: 40 });

const UsageStepSchema = Type.Union([Type.Literal('hour'), Type.Literal('day'), Type.Literal('month')], {
  description: 'day when left out',
});
export type UsageStep = Static<typeof UsageStepSchema>;

export const DashboardUsageQuerySchema = Type.Object(
  {
    by: Type.Optional(UsageStepSchema),
    key_id: Type.Optional(Type.String({ pattern: `^${idPattern('key')}$` })),
    decision: Type.Optional(DecisionSchema),
    from: Type.Optional(
      Type.String({
        ...DateSchema,
        description: 'First day, UTC, or a moment of it; the first of this month',
      }),
    ),
    to: Type.Optional(Type.String({ ...DateSchema, description: 'Last day, UTC, or a moment of it; today' })),
  },
  { additionalProperties: false },
);

export const DashboardUsageReplySchema = Success({
  from: Type.String(),
  to: Type.String(),
  by: UsageStepSchema,
  total: CountSchema,
  by_decision: UsageBreakdownSchema.properties.by_decision,
  rows: Type.Array(
    Type.Object(
      { at: Type.String(), key_id: Type.String(), decision: DecisionSchema, checks: CountSchema },
      { additionalProperties: false },
    ),
    {
      maxItems: SUMS_MAX,
      description: 'Sums by hour, day or month, key and decision, oldest first',
    },
  ),
});

const { from, to } = DashboardUsageQuerySchema.properties;
export const UsageTagsQuerySchema = Type.Object({ from, to }, { additionalProperties: false });

export const UsageTagsReplySchema = Success({
  from: Type.String(),
  to: Type.String(),
  total: CountSchema,
  tags: Type.Array(
    Type.Object({ tag: Type.String(), checks: CountSchema }, { additionalProperties: false }),
    { description: `The most used first, at most ${TAGS_PER_MONTH_MAX}` },
  ),
  other: { ...CountSchema, description: 'Checks with any other tag' },
  untagged: { ...CountSchema, description: 'Checks without a tag; all three add up to the total' },
});

const PeriodSchema = Type.Object(
  { start: Type.String({ format: 'date-time' }), end: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
);

/** The running month, in the words of the 429 body. */
export const CurrentUsage = {
  plan: Type.String(),
  period: PeriodSchema,
  checks_used: CountSchema,
  checks_limit: CountSchema,
  checks_remaining: CountSchema,
  resets_at: Type.String({ format: 'date-time' }),
};

export const OverviewReplySchema = Success({
  ...CurrentUsage,
  by_decision: UsageBreakdownSchema.properties.by_decision,
  by_day: UsageBreakdownSchema.properties.by_day,
  keys: Type.Array(ApiKeySchema),
  keys_max: CountSchema,
  list_entries: Type.Object({ allow: CountSchema, block: CountSchema }, { additionalProperties: false }),
  bursts: Type.Union([Type.Record(Type.String(), CountSchema), Type.Null()], {
    description: 'Of the last 10,000 today, by factor; null: off',
  }),
  bursts_forgotten: CountSchema,
  unmetered: Type.Object(
    { used: CountSchema, limit: CountSchema },
    { additionalProperties: false, description: 'Verdicts of test keys, tries and evidence today, UTC' },
  ),
  own_proxy: Type.Union([Type.String(), Type.Null()], {
    description: 'IP in 95 % of today’s checks, of 500 or more',
  }),
});
