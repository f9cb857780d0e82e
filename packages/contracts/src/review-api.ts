import { type Static, Type } from 'typebox';
import {
  CountSchema,
  NullableStringSchema,
  PageQuery,
  PageReply,
  PlainText,
  Success,
  TimestampSchema,
} from './dashboard/common.js';
import { idPattern } from './id-pattern.js';
import { OutcomeSchema } from './outcomes-api.js';

export const ReviewSchema = Type.Object(
  {
    id: Type.String({ description: 'Log id' }),
    email: NullableStringSchema,
    ip: NullableStringSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
    reason: NullableStringSchema,
    claim: Type.Enum(['none', 'own', 'other'], {
      description: 'The session that holds it: none, this one, another',
    }),
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type Review = Static<typeof ReviewSchema>;

export const ReviewsQuerySchema = Type.Object(PageQuery, { additionalProperties: false });
export const ReviewsReplySchema = Success({
  reviews: Type.Array(ReviewSchema),
  waiting: CountSchema,
  ...PageReply,
});

export const ClaimReviewBodySchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: `^${idPattern('log')}$`,
        description: 'The oldest free one when left out',
      }),
    ),
  },
  { additionalProperties: false },
);
export const ClaimReviewReplySchema = Success({
  id: NullableStringSchema,
});

export const DecideReviewBodySchema = Type.Object(
  { outcome: OutcomeSchema, note: Type.Optional(PlainText(200, 'Why, for your colleagues')) },
  { additionalProperties: false },
);
