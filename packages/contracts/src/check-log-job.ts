import { type Static, Type } from 'typebox';
import { DecisionSchema } from './decision.js';
import { SignalsSchema } from './signals.js';

/** Gateway to worker, over BullMQ: one job carries all checks of one group commit. */
export const CHECK_LOG_VERSION = 1;
export const CHECK_LOG_JOB = 'check-logs';

export const CheckLogSchema = Type.Object(
  {
    id: Type.String({ pattern: '^log_[0-9A-HJKMNP-TV-Z]{26}$' }),
    account_id: Type.String(),
    key_id: Type.String(),
    email: Type.String(),
    ip: Type.Union([Type.String(), Type.Null()]),
    decision: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    signals: SignalsSchema,
    reasons: Type.Array(Type.String()),
    factors: Type.Array(
      Type.Object({ code: Type.String(), points: Type.Integer() }, { additionalProperties: false }),
    ),
    datasets: Type.String({ description: 'Versions of disposable, free and role data, joined by a slash' }),
    request_id: Type.String(),
    created_at: Type.String({ description: 'ISO 8601 with microseconds; never passes through a JS Date' }),
  },
  { additionalProperties: false },
);
export type CheckLog = Static<typeof CheckLogSchema>;

export const CheckLogJobSchema = Type.Object(
  { v: Type.Integer(), checks: Type.Array(CheckLogSchema) },
  { additionalProperties: false },
);
export type CheckLogJob = Static<typeof CheckLogJobSchema>;
