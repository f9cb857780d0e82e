import type { Rule } from '@verdict/domain/policy/policy.js';
import { BACKTEST_STATUSES, POLICY_STATES } from '@verdict/domain/policy-states.js';
import { type Static, Type } from 'typebox';
import { ConsideredSchema } from './considered.js';
import {
  CountSchema,
  MomentSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PageQuery,
  PageReply,
  Success,
  TimestampSchema,
} from './dashboard/common.js';
import { DecisionSchema } from './decision.js';
import { FactorSchema } from './verdict.js';

export const RuleSchema = Type.Unsafe<Rule>(
  Type.Object({
    name: Type.String(),
    when: Type.Unknown({ description: '{all|any: [{field, op, value}, …]}, nested at most 3 deep' }),
    then: Type.Unknown({ description: '{at_least|at_most|exactly: decision} or {watch: true}' }),
    ends_at: Type.Optional(Type.String({ description: 'RFC 3339; checks from then on do not match' })),
  }),
);
const RulesSchema = Type.Array(RuleSchema);
/** Read rule by rule, so that a refusal names the rule and the field. */
const SentRulesSchema = Type.Unknown({ description: 'At most 50' });

const VersionSchema = Type.Integer();
const NullableVersionSchema = Type.Union([VersionSchema, Type.Null()]);

export const PolicySchema = Type.Object(
  {
    version: VersionSchema,
    rules: RulesSchema,
    note: NullableStringSchema,
    created_at: TimestampSchema,
    created_by: NullableStringSchema,
    state: Type.Enum(POLICY_STATES),
  },
  { additionalProperties: false },
);
export type PolicyView = Static<typeof PolicySchema>;

/** A version in the listing, which leaves out its rules: 32 KB each. */
export const PolicySummarySchema = Type.Object(
  { ...Type.Omit(PolicySchema, ['rules']).properties, rule_count: CountSchema },
  { additionalProperties: false },
);
export type PolicySummary = Static<typeof PolicySummarySchema>;

export const PoliciesQuerySchema = Type.Object(PageQuery, { additionalProperties: false });
export const PoliciesReplySchema = Success({
  policies: Type.Array(PolicySummarySchema),
  live: NullableVersionSchema,
  shadow: NullableVersionSchema,
  ...PageReply,
});
export type PoliciesReply = Static<typeof PoliciesReplySchema>;
export const PolicyReplySchema = Success({ policy: PolicySchema });
export type PolicyReply = Static<typeof PolicyReplySchema>;
export const PolicyBodySchema = Type.Object(
  { rules: SentRulesSchema, note: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
);
export const PolicyParamsSchema = Type.Object({ version: Type.String({ maxLength: 64 }) });

/** As Postgres can store it; null for none. */
const WishedVersionSchema = Type.Union([Type.Integer({ minimum: 1, maximum: 999_999_999 }), Type.Null()]);
export const LivePolicyBodySchema = Type.Object(
  {
    version: WishedVersionSchema,
    expect: Type.Optional({ ...WishedVersionSchema, description: 'Refuse unless this one is live' }),
    really: Type.Optional(Type.Boolean({ description: 'Even if it blocks most checks' })),
  },
  { additionalProperties: false },
);
export const LivePolicyReplySchema = Success({
  live: NullableVersionSchema,
  previous: NullableVersionSchema,
});
export type LivePolicyReply = Static<typeof LivePolicyReplySchema>;
/** Days that the effect of a rule is counted over, today included. */
export const EFFECT_DAYS = 7;
export const LiveRulesReplySchema = Success({
  live: Type.Union([
    Type.Object(
      {
        version: VersionSchema,
        rules: Type.Array(
          Type.Object(
            { rule: Type.String(), today: CountSchema, last_7_days: CountSchema },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
});
export type LiveRulesReply = Static<typeof LiveRulesReplySchema>;
export const ShadowPolicyBodySchema = Type.Object(
  { version: WishedVersionSchema },
  { additionalProperties: false },
);
export const ShadowPolicyReplySchema = Success({
  shadow: NullableVersionSchema,
  previous: NullableVersionSchema,
});
export type ShadowPolicyReply = Static<typeof ShadowPolicyReplySchema>;

export const TryPolicyBodySchema = Type.Object(
  {
    rules: SentRulesSchema,
    email: Type.String(),
    ip: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: false },
);
const TriedSchema = Type.Object({
  decision: DecisionSchema,
  risk_score: Type.Integer(),
  rule: Type.Union([Type.String(), Type.Null()], { description: 'The rule that decides' }),
  factors: Type.Array(FactorSchema),
});
export const TryPolicyReplySchema = Success({
  live: NullableVersionSchema,
  before: TriedSchema,
  after: TriedSchema,
  unknown: Type.Array(Type.String(), { description: 'Fields that only a real check has' }),
  considered: ConsideredSchema,
});
export type TryPolicyReply = Static<typeof TryPolicyReplySchema>;

export const BacktestBodySchema = Type.Object(
  { from: MomentSchema('Checks not before this'), to: MomentSchema('And before this; a day is included') },
  { additionalProperties: false },
);
const CellSchema = Type.Object(
  {
    before: DecisionSchema,
    after: DecisionSchema,
    checks: CountSchema,
    samples: Type.Array(Type.String(), { description: 'At most 50 log ids' }),
  },
  { additionalProperties: false },
);
const RuleHitsSchema = Type.Array(
  Type.Object({ rule: Type.String(), checks: CountSchema }, { additionalProperties: false }),
);
const BacktestStatusSchema = Type.Enum(BACKTEST_STATUSES);
export const BacktestSchema = Type.Object(
  {
    id: Type.String(),
    version: VersionSchema,
    status: BacktestStatusSchema,
    from: TimestampSchema,
    to: TimestampSchema,
    progress: Type.Number({ description: '0 to 1' }),
    judged: CountSchema,
    changed: CountSchema,
    matrix: Type.Array(CellSchema, { description: 'Cells with checks: as stored, and by this version' }),
    hits: RuleHitsSchema,
    networks_looked_up: {
      ...CountSchema,
      description: 'Judged by the network that the IP has today',
    },
    left_out: Type.Object(
      {
        erased: CountSchema,
        expired: CountSchema,
        earlier_release: CountSchema,
        no_network: CountSchema,
        no_mx: CountSchema,
      },
      { additionalProperties: false, description: 'Checks that cannot be judged again' },
    ),
    considered: ConsideredSchema,
    created_at: TimestampSchema,
    created_by: NullableStringSchema,
    finished_at: NullableTimestampSchema,
  },
  { additionalProperties: false },
);
export type BacktestView = Static<typeof BacktestSchema>;
export const BacktestReplySchema = Success({ backtest: BacktestSchema });
export type BacktestReply = Static<typeof BacktestReplySchema>;
export const NewestBacktestReplySchema = Success({ backtest: Type.Union([BacktestSchema, Type.Null()]) });
export type NewestBacktestReply = Static<typeof NewestBacktestReplySchema>;
export const BacktestStartedReplySchema = Success({
  backtest: Type.Object({ id: Type.String(), status: BacktestStatusSchema }, { additionalProperties: false }),
});
export type BacktestStartedReply = Static<typeof BacktestStartedReplySchema>;

export const ShadowReportReplySchema = Success({
  shadow: Type.Union([
    Type.Object(
      {
        version: VersionSchema,
        since: TimestampSchema,
        judged: CountSchema,
        changed: CountSchema,
        matrix: Type.Array(CellSchema),
        hits: RuleHitsSchema,
        considered: ConsideredSchema,
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
});
export type ShadowReportReply = Static<typeof ShadowReportReplySchema>;
