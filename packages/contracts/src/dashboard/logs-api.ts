import { type Static, Type } from 'typebox';
import { DecisionSchema } from '../decision.js';
import { SignalsSchema } from '../signals.js';
import { NullableStringSchema, PageQuery, PageReply, Success, TimestampSchema } from './common.js';

const MomentSchema = (description: string) =>
  Type.String({ format: 'date-time', pattern: '^20\\d\\d-', maxLength: 40, description });

const ScoreSchema = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

/** Filters of the log explorer; all that are given must hold. */
export const LogFilters = {
  decision: Type.Optional(
    Type.String({
      pattern: '^(allow|challenge|review|block)(,(allow|challenge|review|block)){0,3}$',
      description: 'One decision, or several separated by commas',
    }),
  ),
  key_id: Type.Optional(Type.String({ pattern: '^key_[0-9A-HJKMNP-TV-Z]{26}$' })),
  email: Type.Optional(Type.String({ maxLength: 512, description: 'The whole address' })),
  domain: Type.Optional(Type.String({ maxLength: 512, description: 'The whole domain of the address' })),
  ip: Type.Optional(Type.String({ maxLength: 64 })),
  score_min: Type.Optional(ScoreSchema('Lowest risk_score')),
  score_max: Type.Optional(ScoreSchema('Highest risk_score')),
  from: Type.Optional(MomentSchema('Not before')),
  to: Type.Optional(MomentSchema('Before')),
};

export const LogsQuerySchema = Type.Object({ ...LogFilters, ...PageQuery }, { additionalProperties: false });
export const LogsCsvQuerySchema = Type.Object(LogFilters, { additionalProperties: false });
export type LogsFilter = Static<typeof LogsCsvQuerySchema>;

const LOG = {
  id: Type.String({ description: 'The log id that the check answered with' }),
  key_id: Type.String(),
  email: Type.Union([Type.String(), Type.Null()], { description: 'Null once it was erased or aged out' }),
  ip: NullableStringSchema,
  decision: DecisionSchema,
  risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
  signals: SignalsSchema,
  reasons: Type.Array(Type.String()),
  created_at: TimestampSchema,
};

export const LogSchema = Type.Object(LOG, { additionalProperties: false });

export const LogDetailSchema = Type.Object(
  {
    ...LOG,
    request_id: Type.String(),
    datasets: Type.String({ description: 'Versions of the data that it was judged with' }),
    factors: Type.Array(
      Type.Object({ code: Type.String(), points: Type.Integer() }, { additionalProperties: false }),
      { description: 'Their points add up to the score' },
    ),
  },
  { additionalProperties: false },
);

export const LogsReplySchema = Success({ logs: Type.Array(LogSchema), ...PageReply });
export const LogReplySchema = Success({ log: LogDetailSchema });
