import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { BURST_KINDS, GROUPINGS } from '@verdict/domain/check-groups.js';
import { TAG_LENGTH_MAX, TAG_PATTERN } from '@verdict/domain/check-tag.js';
import { OUTCOMES } from '@verdict/domain/outcomes.js';
import { type Static, Type } from 'typebox';
import { ConsideredSchema } from '../considered.js';
import { UsageBreakdownSchema } from '../control-plane-api.js';
import { DECISIONS_PATTERN, DecisionSchema } from '../decision.js';
import { idPattern } from '../id-pattern.js';
import { OutcomeSchema } from '../outcomes-api.js';
import { EvidenceSchema } from '../scoring-api.js';
import { ExtraSignalsSchema, MailServersSchema, SignalsSchema } from '../signals.js';
import { FactorSchema } from '../verdict.js';
import {
  CountSchema,
  MomentSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PageQuery,
  PageReply,
  Success,
  TimestampSchema,
} from './common.js';
import { KeyModeSchema } from './keys-api.js';
import { ListEntrySchema } from './lists-api.js';
import { RevisionSchema } from './revisions-api.js';

const ScoreSchema = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

/** Checks that one page may name by their ids. */
const IDS_MAX = 50;

/** Filters of the log explorer; all that are given must hold. */
export const LogFilters = {
  mode: Type.Optional({ ...KeyModeSchema, description: 'test: the checks of test keys, and no others' }),
  decision: Type.Optional(
    Type.String({
      pattern: DECISIONS_PATTERN,
      description: 'One decision, or several separated by commas',
    }),
  ),
  key_id: Type.Optional(Type.String({ pattern: `^${idPattern('key')}$` })),
  email: Type.Optional(Type.String({ maxLength: 512, description: 'The whole address' })),
  mailbox: Type.Optional(Type.String({ maxLength: 512, description: 'Address or log id' })),
  domain: Type.Optional(Type.String({ maxLength: 512, description: 'The whole domain of the address' })),
  begins: Type.Optional(
    Type.String({
      maxLength: 320,
      pattern: '^\\s*@?[^\\s@]+(@\\S*)?\\s*$',
      description: 'Of the address or its domain; after `@`, of the domain',
    }),
  ),
  shape: Type.Optional(
    Type.String({
      maxLength: 253,
      pattern: '^[^\\s@]*\\.[^\\s@.]+$',
      description: 'Of the domain, unless free: `abc123.xyz`',
    }),
  ),
  mail_host: Type.Optional(
    Type.String({ maxLength: 253, description: 'Operator of the mail servers: `google.com`' }),
  ),
  network: Type.Optional(Type.String({ maxLength: 64, description: 'Of the IP: `203.0.113.0/24`' })),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'Of the IP: `DE`' })),
  asn: Type.Optional(Type.String({ pattern: '^(AS|as)?\\d{1,10}$', description: '`AS64500`' })),
  ip: Type.Optional(Type.String({ maxLength: 64, description: 'In any spelling' })),
  ids: Type.Optional(
    Type.String({
      pattern: `^${idPattern('log')}(,${idPattern('log')}){0,${IDS_MAX - 1}}$`,
      description: `Log ids separated by commas, at most ${IDS_MAX}`,
    }),
  ),
  request_id: Type.Optional(
    Type.String({
      pattern: `^${idPattern('req')}$`,
      description: 'The checks of one request; an id that Verdict gave out',
    }),
  ),
  outcome: Type.Optional(
    Type.String({
      pattern: `^(none|(${OUTCOMES.join('|')})(,(${OUTCOMES.join('|')}))*)$`,
      description: 'One outcome, several separated by commas, or `none` for checks without one',
    }),
  ),
  revised: Type.Optional(Type.Enum(['true'], { description: 'A second look decided differently' })),
  reason: Type.Optional(
    Type.String({
      maxLength: 400,
      pattern: '^[A-Z_]+(,[A-Z_]+)*$',
      description: 'Codes, separated by commas',
    }),
  ),
  list: Type.Optional(Type.Enum(LIST_NAMES, { description: 'The own list that decided' })),
  rule: Type.Optional(Type.String({ maxLength: 160, description: 'Name of the rule that decided' })),
  tag: Type.Optional(
    Type.String({ maxLength: TAG_LENGTH_MAX, pattern: TAG_PATTERN, description: 'The whole tag' }),
  ),
  score_min: Type.Optional(ScoreSchema('Lowest risk_score')),
  score_max: Type.Optional(ScoreSchema('Highest risk_score')),
  from: Type.Optional(MomentSchema('Not before this')),
  to: Type.Optional(MomentSchema('Before this; a day is included')),
};

export const LogsQuerySchema = Type.Object({ ...LogFilters, ...PageQuery }, { additionalProperties: false });
export const LogsCsvQuerySchema = Type.Object(LogFilters, { additionalProperties: false });
export type LogsFilter = Static<typeof LogsCsvQuerySchema>;

const LOG = {
  id: Type.String({ description: 'The log id that the check answered with' }),
  key_id: Type.String(),
  mode: { ...KeyModeSchema, description: 'test: by a test key, counted nowhere' },
  email: Type.Union([Type.String(), Type.Null()], { description: 'Null once it was erased or aged out' }),
  ip: NullableStringSchema,
  decision: DecisionSchema,
  risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
  signals: SignalsSchema,
  reasons: Type.Array(Type.String()),
  policy: Type.Union(
    [
      Type.Object({ version: Type.Integer(), rule: NullableStringSchema }, { additionalProperties: false }),
      Type.Null(),
    ],
    { description: 'The policy that judged it, and the rule that decided' },
  ),
  outcome: Type.Union([OutcomeSchema, Type.Null()], {
    description: 'Outcome of the check, or else of its address',
  }),
  tag: Type.Union([Type.String(), Type.Null()], { description: 'Label that came with the check' }),
  created_at: TimestampSchema,
};

export const LogSchema = Type.Object(LOG, { additionalProperties: false });

export const LogDetailSchema = Type.Object(
  {
    ...LOG,
    mx: MailServersSchema,
    request_id: Type.String(),
    datasets: Type.String({ description: 'Versions of the data that it was judged with' }),
    factors: Type.Array(
      Type.Object({ code: Type.String(), points: Type.Integer() }, { additionalProperties: false }),
      { description: 'Their points add up to the score' },
    ),
    outcomes: Type.Array(
      Type.Object(
        {
          outcome: OutcomeSchema,
          about: Type.Enum(['check', 'address']),
          note: NullableStringSchema,
          at: TimestampSchema,
          by: Type.String({ description: 'The user or the key that said it' }),
        },
        { additionalProperties: false },
      ),
      { description: 'Outcomes of the check and of its address so far, newest first' },
    ),
  },
  { additionalProperties: false },
);

const GroupingSchema = Type.Enum(GROUPINGS);

export const GroupsQuerySchema = Type.Object(
  { ...LogFilters, by: GroupingSchema },
  { additionalProperties: false },
);

const COUNTS = { allow: CountSchema, challenge: CountSchema, review: CountSchema, block: CountSchema };

export const GroupSchema = Type.Object(
  {
    value: Type.String({ description: 'Of a mailbox the id of one of its checks' }),
    ...COUNTS,
  },
  { additionalProperties: false },
);

export const GroupsReplySchema = Success({
  groups: Type.Array(GroupSchema, { description: 'The largest, or the newest hours; at most 100' }),
  total: UsageBreakdownSchema.properties.by_decision,
  /** Older checks are not counted; null where all are. */
  since: NullableTimestampSchema,
  exact: Type.Boolean({ description: 'false: rare values are left out' }),
});
export type GroupsReply = Static<typeof GroupsReplySchema>;

export const BurstSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(BURST_KINDS),
    value: Type.String({ description: 'Of a mailbox the id of one of its checks' }),
    started_at: TimestampSchema,
    ended_at: NullableTimestampSchema,
    usual: { ...CountSchema, description: 'Checks of its busiest usual hour' },
    ...COUNTS,
    /** Log ids, at most 5. */
    examples: Type.Array(Type.String()),
  },
  { additionalProperties: false },
);
export type BurstView = Static<typeof BurstSchema>;

export const BurstsReplySchema = Success({
  /** Those under way first; an ended one for a day. */
  bursts: Type.Array(BurstSchema),
});

export const LogsReplySchema = Success({ logs: Type.Array(LogSchema), ...PageReply });
export const LogReplySchema = Success({ log: LogDetailSchema });

export const DatasetVersionsSchema = Type.Object(
  {
    disposable_domains: Type.String(),
    free_providers: Type.String(),
    role_prefixes: Type.String(),
  },
  { additionalProperties: false, description: 'Versions of the datasets, YYYY-MM-DD' },
);

/**
 * Why a check was decided as it was. `stored` holds versions, codes, points and sentences as far as retention has kept
 * them; `recomputed` is what the same check would get now, uncounted, or null if the address is gone or Verdict cannot
 * judge it now.
 */
export const EvidenceReplySchema = Success({
  stored: Type.Object(
    {
      datasets: DatasetVersionsSchema,
      factors: Type.Array(
        Type.Object(
          { code: Type.String(), points: Type.Integer(), reason: NullableStringSchema },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  recomputed: Type.Union([
    Type.Object(
      {
        datasets: DatasetVersionsSchema,
        risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
        decision: DecisionSchema,
        signals: Type.Object(
          {
            ...SignalsSchema.properties,
            ...Type.Omit(ExtraSignalsSchema, ['mail']).properties,
            mx: MailServersSchema,
          },
          { additionalProperties: false },
        ),
        factors: Type.Array(FactorSchema),
        policy: LOG.policy,
        considered: ConsideredSchema,
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
  can_recompute: Type.Boolean({
    description: 'False when the address is gone: erased, aged out, or stored masked',
  }),
  listings: Type.Array(EvidenceSchema, {
    description: 'Entries of public lists that apply to the address now',
  }),
  listed: Type.Array(
    Type.Object(
      {
        entry: Type.String(),
        source: Type.String(),
        from: NullableStringSchema,
        to: NullableStringSchema,
      },
      { additionalProperties: false },
    ),
    { description: 'Public lists that have or had the domain, by day' },
  ),
  revisions: Type.Array(RevisionSchema),
  ip_kind: NullableStringSchema,
  ip_country: NullableStringSchema,
  ip_asn: Type.Union([Type.Integer(), Type.Null()]),
  ip_organisation: NullableStringSchema,
  own_entries: Type.Array(ListEntrySchema, {
    description: 'Entries of the own lists that name this address, its domain or its IP today',
  }),
});
export type EvidenceReply = Static<typeof EvidenceReplySchema>;
