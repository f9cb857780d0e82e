import { Type } from 'typebox';
import { AUDIT_SUBJECTS } from './audit-subjects.js';
import { NullableStringSchema, PageQuery, PageReply, Success, TimestampSchema } from './common.js';

const SUBJECT = {
  subject: Type.Optional(Type.Enum(AUDIT_SUBJECTS, { description: 'Only actions on this' })),
};

export const AuditQuerySchema = Type.Object({ ...PageQuery, ...SUBJECT }, { additionalProperties: false });
export const AuditFileQuerySchema = Type.Object(SUBJECT, { additionalProperties: false });

export const AuditReplySchema = Success({
  events: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        user_id: NullableStringSchema,
        user_email: Type.Union([Type.String(), Type.Null()], {
          description: 'Of a member as it is now, of a removed one as it was then',
        }),
        action: Type.String({ description: 'The action, such as key.revoked' }),
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
