import { type Static, Type } from 'typebox';
import { CheckBodySchema, CheckResultSchema } from './check-api.js';

export const BATCH_ITEMS_MAX = 1_000;
/** A thousand addresses of the greatest length, with an IP and a ref each, and room to spare. */
export const CHECK_BATCH_BODY_BYTES_MAX = 1024 * 1024;

const RefSchema = Type.String({
  maxLength: 128,
  description: 'Your name for the item, echoed with its result',
});

const bodyOf = <Email extends object, Ip extends object, Tag extends object>(
  email: Email,
  ip: Ip,
  tag: Tag,
) =>
  Type.Object(
    {
      items: Type.Array(
        Type.Object({ email, ip, tag, ref: Type.Optional(RefSchema) }, { additionalProperties: false }),
        {
          minItems: 1,
          maxItems: BATCH_ITEMS_MAX,
          description: "At most one second of the plan's rate",
        },
      ),
      api_key_id: CheckBodySchema.properties.api_key_id,
    },
    { additionalProperties: false },
  );

const { email, ip, tag } = CheckBodySchema.properties;

/** The documented body. */
export const CheckBatchBodySchema = bodyOf(email, ip, tag);

const Anything = Type.Optional(Type.Unknown());

/** The accepted body: an email, IP or tag of another type is an error of that item, not of the whole batch. */
export const AcceptedBatchBodySchema = bodyOf(Anything, Anything, Anything);
export type AcceptedBatchBody = Static<typeof AcceptedBatchBodySchema>;

export const BatchItemResultSchema = Type.Object(
  {
    ref: Type.Union([Type.String(), Type.Null()]),
    check: Type.Optional(CheckResultSchema),
    error: Type.Optional(Type.String({ description: 'Instead of check: what is wrong with the item' })),
    code: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: false, description: 'Either check, or error, code and errors' },
);
export type BatchItemResult = Static<typeof BatchItemResultSchema>;

export const CheckBatchResultSchema = Type.Object(
  {
    success: Type.Literal(true),
    results: Type.Array(BatchItemResultSchema, { description: 'In the order of the items' }),
  },
  { additionalProperties: false },
);
