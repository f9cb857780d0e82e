import { Type } from 'typebox';
import { CountSchema, NullableTimestampSchema, Success, TimestampSchema } from './common.js';

export const SubjectBodySchema = Type.Object(
  { email: Type.String({ maxLength: 512, description: 'The whole address' }) },
  { additionalProperties: false },
);

export const SubjectErasureSchema = Type.Object(
  {
    id: Type.String(),
    requested_at: TimestampSchema,
    done_at: { ...NullableTimestampSchema, description: 'Null while checks from before may be queued' },
    checks: CountSchema,
    file_rows: CountSchema,
  },
  { additionalProperties: false },
);

export const SubjectErasureReplySchema = Success({ erasure: SubjectErasureSchema });
