import { type Static, Type } from 'typebox';
import { BATCH_ITEMS_MAX } from './check-batch-api.js';
import { DatasetsSchema } from './datasets.js';
import { DecisionSchema } from './decision.js';
import { IpNetworkSchema } from './ip-network.js';
import { ExtraSignalsSchema, SignalsSchema } from './signals.js';
import { FactorSchema, VerdictSchema } from './verdict.js';

/**
 * Gateway to scoring over HTTP. One request carries a batch; the answer is NDJSON whose first line holds everything
 * ready and each later line what became ready since, so one slow domain delays no other.
 */
export const SCORE_PATH = '/internal/score';
export const DATASETS_PATH = '/internal/datasets';
export const SCORING_VERSION = 2;
/** The traces that checks of the batch belong to. A header and not a field, so that an older replica ignores it. */
export const TRACES_HEADER = 'verdict-traces';
export const SCORE_BATCH_MAX = 256;

export const ScoreRequestSchema = Type.Object(
  {
    v: Type.Literal(SCORING_VERSION),
    checks: Type.Array(
      Type.Object(
        {
          email: Type.String({ description: 'Already parsed and accepted by the gateway' }),
          account_id: Type.String({ description: 'Whose budget for never-seen domains is used' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: SCORE_BATCH_MAX },
    ),
  },
  { additionalProperties: false },
);
export type ScoreRequest = Static<typeof ScoreRequestSchema>;

/** One line of the stream. The datasets are those that every verdict of it was made with. */
export const ScoreLineSchema = Type.Object(
  {
    v: Type.Literal(SCORING_VERSION),
    datasets: DatasetsSchema,
    verdicts: Type.Array(VerdictSchema),
    checks: Type.Array(
      Type.Object(
        {
          i: Type.Integer({ minimum: 0, description: 'Position of the check in the request' }),
          verdict: Type.Integer({ minimum: 0, description: 'Position in verdicts' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ScoreLine = Static<typeof ScoreLineSchema>;

/** Asked apart from scores, and only by those who want to know: checks without it cost what they cost. */
export const IPS_PATH = '/internal/ips';

export const IpsRequestSchema = Type.Object(
  { ips: Type.Array(Type.String({ maxLength: 45 }), { minItems: 1, maxItems: BATCH_ITEMS_MAX }) },
  { additionalProperties: false },
);
export type IpsRequest = Static<typeof IpsRequestSchema>;

export const IpsReplySchema = Type.Object(
  { networks: Type.Array(IpNetworkSchema, { description: 'In the order of the IPs' }) },
  { additionalProperties: false },
);
export type IpsReply = Static<typeof IpsReplySchema>;

/** Control plane to scoring: which sources list these domains as disposable now. */
export const SOURCES_PATH = '/internal/sources';

export const SourcesRequestSchema = Type.Object(
  { domains: Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: BATCH_ITEMS_MAX }) },
  { additionalProperties: false },
);
export type SourcesRequest = Static<typeof SourcesRequestSchema>;

export const SourcesReplySchema = Type.Object(
  { sources: Type.Array(Type.Array(Type.String()), { description: 'In the order of the domains' }) },
  { additionalProperties: false },
);
export type SourcesReply = Static<typeof SourcesReplySchema>;

/** Worker to scoring: how stored checks would be scored now that other sources list their domains. Asks no name server. */
export const SECOND_LOOK_PATH = '/internal/second-look';
export const SECOND_LOOK_MAX = 500;

export const SecondLookRequestSchema = Type.Object(
  {
    checks: Type.Array(
      Type.Object(
        {
          domain: Type.String({ maxLength: 255 }),
          codes: Type.Array(Type.String(), { description: 'Of the factors that are stored' }),
          mx: Type.Union([Type.String(), Type.Null()], { description: 'As mailText writes it' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: SECOND_LOOK_MAX },
    ),
  },
  { additionalProperties: false },
);
export type SecondLookRequest = Static<typeof SecondLookRequestSchema>;

export const SecondLookReplySchema = Type.Object(
  {
    release: Type.Union([Type.String(), Type.Null()], {
      description: 'That was asked; null for the shipped data',
    }),
    checks: Type.Array(
      Type.Union([
        Type.Object(
          {
            risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
            disposable_email: Type.Boolean(),
            factors: Type.Array(FactorSchema),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ]),
      { description: 'In the order of the checks; null where the listing is what it was' },
    ),
  },
  { additionalProperties: false },
);
export type SecondLookReply = Static<typeof SecondLookReplySchema>;

/** Operator to scoring: why an address gets its answer, from the current lists or from an older release of them. */
export const EXPLAIN_PATH = '/internal/explain';

/** Whose budget an explanation uses. A header and not a field, so that an older replica ignores it. */
export const OWNER_HEADER = 'verdict-owner';

export const ExplainRequestSchema = Type.Object(
  {
    email: Type.String({ maxLength: 1024 }),
    datasets: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}(\\.\\d{1,3})?$',
        description: 'A release, or a day whose newest release is meant',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ExplainRequest = Static<typeof ExplainRequestSchema>;

/** One entry of a list that applies to the address. */
export const EvidenceSchema = Type.Object(
  {
    list: Type.String(),
    entry: Type.String(),
    source: Type.String({ description: 'Sources that list it; hand-lists are our own' }),
    tier: Type.Union([Type.String(), Type.Null()], { description: 'How far that source is trusted' }),
    since: Type.String({ description: 'The oldest release in a row that has it' }),
    or_earlier: Type.Boolean({ description: 'No older release is kept' }),
  },
  { additionalProperties: false },
);

export const ExplanationSchema = Type.Object(
  {
    email: Type.String({ description: 'As it is parsed' }),
    release: Type.String({ description: '`shipped` for the data that came with the software' }),
    datasets: DatasetsSchema,
    decision: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    signals: SignalsSchema,
    extra: ExtraSignalsSchema,
    factors: Type.Array(FactorSchema),
    evidence: Type.Array(EvidenceSchema),
  },
  { additionalProperties: false },
);
export type Explanation = Static<typeof ExplanationSchema>;
