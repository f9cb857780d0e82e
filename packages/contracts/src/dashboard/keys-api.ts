import { type Static, Type } from 'typebox';
import { CountSchema, NullableTimestampSchema, PlainText, Success, TimestampSchema } from './common.js';

const OVERLAP_SECONDS_MAX = 7 * 86_400;

export const ApiKeySchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with key_; what POST /check/ calls api_key_id' }),
    name: Type.String(),
    prefix: Type.String({ description: 'The readable start of the value' }),
    last_four: Type.String(),
    status: Type.Union([Type.Literal('active'), Type.Literal('inactive'), Type.Literal('revoked')]),
    created_at: TimestampSchema,
    last_used_at: { ...NullableTimestampSchema, description: 'Exact to a minute' },
  },
  { additionalProperties: false },
);
export type ApiKeyView = Static<typeof ApiKeySchema>;

export const KeysQuerySchema = Type.Object(
  {
    status: Type.Optional(
      Type.Union([Type.Literal('live'), Type.Literal('all')], {
        description: 'live (the default) leaves out the revoked ones',
      }),
    ),
  },
  { additionalProperties: false },
);

export const KeysReplySchema = Success({ keys: Type.Array(ApiKeySchema), keys_max: CountSchema });
export const KeyReplySchema = Success({ key: ApiKeySchema });

const KeyName = PlainText(100, 'A descriptive name');

export const CreateKeyBodySchema = Type.Object({ name: KeyName }, { additionalProperties: false });

const SHOWN_ONCE = {
  key: ApiKeySchema,
  api_key: Type.String({ description: 'The value, shown this once' }),
  in_effect: Type.Boolean({ description: 'False when it will take effect within seconds' }),
};

export const CreateKeyReplySchema = Success(SHOWN_ONCE);

export const UpdateKeyBodySchema = Type.Object(
  {
    name: Type.Optional(KeyName),
    active: Type.Optional(Type.Boolean({ description: 'false: answers 403' })),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type UpdateKeyBody = Static<typeof UpdateKeyBodySchema>;

export const RollKeyBodySchema = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        description: 'How long the old value still works; a day when left out',
      }),
    ),
  },
  { additionalProperties: false },
);

export const RollKeyReplySchema = Success({ ...SHOWN_ONCE, old_value_expires_at: TimestampSchema });
