import { LIST_MATCHINGS } from '@verdict/domain/account-list.js';
import {
  LABELS_MIN,
  OUTCOMES,
  OUTCOMES_MAX,
  PRECISION_GROUPS,
  PROPOSAL_KINDS,
} from '@verdict/domain/outcomes.js';
import { type Static, Type } from 'typebox';
import { CountSchema, PlainText, Success, TimestampSchema } from './dashboard/common.js';
import { RuleSchema } from './policy.js';

export const OutcomeSchema = Type.Enum(OUTCOMES);

const OutcomeItemSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({ maxLength: 64, description: 'The `log_id` of a check; it may not be stored yet' }),
    ),
    email: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'An address instead',
      }),
    ),
    outcome: OutcomeSchema,
    note: Type.Optional(PlainText(200, 'Why, for your colleagues')),
  },
  { additionalProperties: false },
);
export type OutcomeItem = Static<typeof OutcomeItemSchema>;

export const OutcomesBodySchema = Type.Object(
  { items: Type.Array(OutcomeItemSchema, { minItems: 1, maxItems: OUTCOMES_MAX }) },
  { additionalProperties: false },
);

export const OutcomesReplySchema = Success({
  recorded: Type.Integer({ minimum: 0, description: 'Outcomes that are new or differ from the one before' }),
  unchanged: Type.Integer({
    minimum: 0,
    description: 'Said before, or said again later in the same request',
  }),
  errors: Type.Array(
    Type.Object(
      { item: Type.Integer({ minimum: 1 }), message: Type.String() },
      { additionalProperties: false },
    ),
    { description: 'Items that were refused, by their position beginning with 1; the others were taken' },
  ),
});

export type OutcomesReply = Static<typeof OutcomesReplySchema>;

export const PrecisionQuerySchema = Type.Object(
  {
    by: Type.Enum(PRECISION_GROUPS, {
      description: 'code: factors of the score; rule: your rules; source: public lists as of now',
    }),
  },
  { additionalProperties: false },
);

const ShareSchema = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });

const PrecisionSchema = Type.Object(
  {
    name: Type.String({ description: 'The code, rule, list or decision' }),
    labelled: CountSchema,
    genuine: CountSchema,
    abuse: CountSchema,
    bounced: CountSchema,
    complained: CountSchema,
    share_genuine: ShareSchema('Null while too few'),
    low: ShareSchema('Lower end of its 95 % interval (Wilson)'),
    high: ShareSchema('Upper end'),
    too_few: Type.Boolean({ description: `Under ${LABELS_MIN} labelled` }),
  },
  { additionalProperties: false },
);
export type Precision = Static<typeof PrecisionSchema>;

export const PrecisionReplySchema = Success({
  groups: Type.Array(PrecisionSchema, {
    description: 'Most labelled first, from the newest 10,000 outcomes',
  }),
});

const ProposalSchema = Type.Object(
  {
    kind: Type.Enum(PROPOSAL_KINDS),
    value: Type.String(),
    match: Type.Union([Type.Enum(LIST_MATCHINGS), Type.Null()], { description: 'Of a block entry' }),
    rule: Type.Union([RuleSchema, Type.Null()], { description: 'Or a rule instead' }),
    abuse: CountSchema,
    last_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type Proposal = Static<typeof ProposalSchema>;

export const DismissBodySchema = Type.Object(
  {
    kind: Type.Enum(PROPOSAL_KINDS),
    value: Type.String({ maxLength: 512 }),
    abuse: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'As proposed. At twice as much it is proposed again; 0 takes this back',
    }),
  },
  { additionalProperties: false },
);

export const ProposalsReplySchema = Success({
  proposals: Type.Array(ProposalSchema, { description: 'Newest first, at most 50' }),
});
