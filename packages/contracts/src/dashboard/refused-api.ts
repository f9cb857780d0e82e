import { type Static, Type } from 'typebox';
import { REFUSED_RETENTION_DAYS, RefusedSampleSchema } from '../refused-requests.js';
import { Success, TimestampSchema } from './common.js';

const RefusedSchema = Type.Object(
  {
    key_id: Type.String(),
    status: Type.Integer({ description: '400, 401, 403 or 429' }),
    code: Type.String(),
    count: Type.Integer({ minimum: 1 }),
    last_at: TimestampSchema,
    samples: Type.Array(RefusedSampleSchema, { description: 'The newest, at most five' }),
  },
  { additionalProperties: false },
);

export const RefusedReplySchema = Success({
  refused: Type.Array(RefusedSchema, {
    description: `The last ${REFUSED_RETENTION_DAYS} days, most frequent first`,
  }),
});
export type RefusedReply = Static<typeof RefusedReplySchema>;
