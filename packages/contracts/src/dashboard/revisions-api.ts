import { type Static, Type } from 'typebox';
import { DecisionSchema } from '../decision.js';
import {
  CountSchema,
  NullableStringSchema,
  PageQuery,
  PageReply,
  Success,
  TimestampSchema,
} from './common.js';

export const RevisionSchema = Type.Object(
  {
    id: Type.String({ description: 'Log id' }),
    email: NullableStringSchema,
    from: DecisionSchema,
    to: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    codes: Type.Array(Type.String()),
    release: Type.String(),
    checked_at: TimestampSchema,
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type Revision = Static<typeof RevisionSchema>;

export const RevisionsQuerySchema = Type.Object(PageQuery, { additionalProperties: false });
export const RevisionsReplySchema = Success({
  revisions: Type.Array(RevisionSchema),
  recent: CountSchema,
  ...PageReply,
});
