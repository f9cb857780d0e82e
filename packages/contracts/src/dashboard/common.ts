import { type TProperties, Type } from 'typebox';

/** A success: `success: true` and what the endpoint adds. Unknown fields are a mistake on either side. */
export const Success = <T extends TProperties>(properties: T) =>
  Type.Object({ success: Type.Literal(true), ...properties }, { additionalProperties: false });

export const DoneSchema = Success({});

/** Free text of people: no control characters, no halves of surrogate pairs, which Postgres would not store. */
export const PlainText = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\p{Cc}\\p{Cs}]+$', description });

export const TimestampSchema = Type.String({
  description: 'ISO 8601 with microseconds and a UTC offset',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}\\+00:00$',
});

/** A moment in a request. */
export const MomentSchema = (description: string) =>
  Type.String({ maxLength: 40, description: `${description}; a day (UTC) or a moment with its offset` });

export const NullableTimestampSchema = Type.Union([TimestampSchema, Type.Null()]);
export const NullableStringSchema = Type.Union([Type.String(), Type.Null()]);
export const CountSchema = Type.Integer({ minimum: 0 });

/** Clients of earlier releases ask for 500 rows and follow the cursor. */
const LIMIT_MAX = 500;
export const PAGE_ROWS_MAX = 100;
export const PAGE_SIZE = 50;

/** Every listing that can grow: `?limit=50&cursor=…` in, `has_more` and `next_cursor` out. */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      description: 'Rows per page; 50, and never more than 100 or 256 KB',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: 'next_cursor of the page before; opaque' }),
  ),
};

export const PageReply = { has_more: Type.Boolean(), next_cursor: NullableStringSchema };

/** The id in a path. An id that does not match is a 404, like a foreign one. */
export const IdParamsSchema = Type.Object({ id: Type.String({ maxLength: 64 }) });
