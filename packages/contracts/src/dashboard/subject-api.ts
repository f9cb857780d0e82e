import { Type } from 'typebox';

export const SubjectBodySchema = Type.Object(
  { email: Type.String({ maxLength: 512, description: 'The whole address' }) },
  { additionalProperties: false },
);
