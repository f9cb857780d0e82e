import { type Static, Type } from 'typebox';
import { DatasetsSchema } from './datasets.js';
import { VerdictSchema } from './verdict.js';

/**
 * Gateway to scoring, over HTTP. One request carries a batch; the answer is NDJSON: the first line holds all that was
 * ready at once, each later one what became ready since, so that one slow domain delays nobody else.
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
