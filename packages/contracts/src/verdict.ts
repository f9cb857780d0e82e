import { type Static, Type } from 'typebox';
import { ExtraSignalsSchema, SignalsSchema } from './signals.js';

/** One line of the arithmetic: the points of all factors add up exactly to the score. */
export const FactorSchema = Type.Object(
  {
    code: Type.String({ description: 'Stable, upper snake case' }),
    points: Type.Integer(),
    reason: Type.String({ description: 'A sentence a support agent can read to a customer' }),
  },
  { additionalProperties: false },
);
export type Factor = Static<typeof FactorSchema>;

/** Flags are optional to readers: a log that waits may have been written before the newest flag was added. */
const KeptExtraSchema = Type.Object({
  ...Type.Partial(ExtraSignalsSchema).properties,
  suggestion: ExtraSignalsSchema.properties.suggestion,
});

/**
 * The result of scoring, without the address. It has this one form from scoring to Postgres, and checks refer to it by
 * position because most share one of a few.
 */
export const VerdictSchema = Type.Object(
  {
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    signals: SignalsSchema,
    extra: KeptExtraSchema,
    factors: Type.Array(FactorSchema),
    datasets: Type.String({ description: 'Versions of disposable, free and role data, joined by a slash' }),
  },
  { additionalProperties: false },
);
export type Verdict = Static<typeof VerdictSchema>;
