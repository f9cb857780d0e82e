import { type Static, Type } from 'typebox';
import { DecisionSchema } from './decision.js';
import { SignalsSchema } from './signals.js';

/** Gateway to worker, over BullMQ: one job carries all checks of one group commit. */
export const CHECK_LOG_VERSION = 2;
export const CHECK_LOG_JOB = 'check-logs';

/** What was found out, apart from whom it was found out about: most checks of a moment share one of a few. */
export const LoggedVerdictSchema = Type.Object(
  {
    decision: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    signals: SignalsSchema,
    reasons: Type.Array(Type.String()),
    factors: Type.Array(
      Type.Object({ code: Type.String(), points: Type.Integer() }, { additionalProperties: false }),
    ),
    datasets: Type.String({ description: 'Versions of disposable, free and role data, joined by a slash' }),
  },
  { additionalProperties: false },
);
export type LoggedVerdict = Static<typeof LoggedVerdictSchema>;

const Subject = {
  id: Type.String({ pattern: '^log_[0-9A-HJKMNP-TV-Z]{26}$' }),
  account_id: Type.String(),
  key_id: Type.String(),
  email: Type.String(),
  ip: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.String(),
  created_at: Type.String({ description: 'ISO 8601 with microseconds; never passes through a JS Date' }),
};

/** One check, as both ends of the queue see it. */
export const CheckLogSchema = Type.Object(
  { ...Subject, verdict: LoggedVerdictSchema },
  { additionalProperties: false },
);
export type CheckLog = Static<typeof CheckLogSchema>;

/** Many checks, as the queue carries them: a verdict that several share is written once. */
export const CheckLogJobSchema = Type.Object(
  {
    v: Type.Integer(),
    verdicts: Type.Array(LoggedVerdictSchema),
    checks: Type.Array(
      Type.Object(
        { ...Subject, verdict: Type.Integer({ minimum: 0, description: 'Position in verdicts' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type CheckLogJob = Static<typeof CheckLogJobSchema>;
