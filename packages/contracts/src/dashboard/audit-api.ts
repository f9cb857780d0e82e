import { Type } from 'typebox';
import { NullableStringSchema, PageQuery, PageReply, Success, TimestampSchema } from './common.js';

export const AuditQuerySchema = Type.Object(PageQuery, { additionalProperties: false });

export const AuditReplySchema = Success({
  events: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        user_id: NullableStringSchema,
        action: Type.String({ description: 'What was done, such as key.revoked' }),
        target: NullableStringSchema,
        details: Type.Record(Type.String(), Type.Unknown()),
        ip: NullableStringSchema,
        request_id: NullableStringSchema,
        created_at: TimestampSchema,
      },
      { additionalProperties: false },
    ),
  ),
  ...PageReply,
});
