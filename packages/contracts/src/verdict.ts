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
 * What was found out, apart from whom it was found out about. It travels from scoring through the queue to Postgres in
 * this one form, and always beside checks that name it by its position: most checks of a moment share one of a few.
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
