import { Type } from 'typebox';

/** Every failure on every route. */
export const ErrorBodySchema = Type.Object({
  error: Type.String({ description: 'A sentence for people' }),
  code: Type.String({ description: 'Stable, snake_case, for programs' }),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String(),
        message: Type.String(),
        suggestion: Type.Optional(Type.String({ description: 'Suggested correction' })),
      }),
    ),
  ),
  share: Type.Optional(Type.Number({ description: 'Of the last checks that the policy would block' })),
  columns: Type.Optional(
    Type.Array(Type.String(), { description: 'Of a file in which no column of addresses was found' }),
  ),
  upgrade_url: Type.Optional(Type.String({ description: 'Where a larger plan allows it' })),
});

/** Both 429s of the validation API: quota used up, or too fast (then checks_used < checks_limit). */
export const LimitErrorBodySchema = Type.Object({
  error: Type.String(),
  code: Type.String(),
  checks_used: Type.Integer(),
  checks_limit: Type.Integer(),
  upgrade_url: Type.String(),
});
