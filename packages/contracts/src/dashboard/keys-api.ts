import { KEY_MODES, KEY_SCOPES, KEY_STATUSES } from '@verdict/domain/key-words.js';
import { type Static, Type } from 'typebox';
import {
  CountSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PlainText,
  Success,
  TimestampSchema,
} from './common.js';

export const OVERLAP_SECONDS_MAX = 7 * 86_400;

const KEY_NETWORKS_MAX = 50;

export const KeyModeSchema = Type.Enum(KEY_MODES);

const ScopeSchema = Type.Enum(KEY_SCOPES);

const OldValueSchema = Type.Object(
  { expires_at: TimestampSchema, last_used_at: NullableTimestampSchema },
  { additionalProperties: false, description: 'The value before the key was rolled, while it still works' },
);

export const KeyNetworkSchema = Type.Object(
  {
    network: Type.String({ description: 'A /24 of IPv4, a /48 of IPv6' }),
    requests: Type.Integer({ minimum: 1 }),
    first_at: TimestampSchema,
    last_at: TimestampSchema,
  },
  { additionalProperties: false },
);

export const ApiKeySchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with key_; what POST /check/ calls api_key_id' }),
    name: Type.String(),
    prefix: Type.String({ description: 'The readable start of the value' }),
    last_four: Type.String(),
    mode: { ...KeyModeSchema, description: 'Checks of a test key are never metered' },
    status: Type.Enum(KEY_STATUSES),
    created_at: TimestampSchema,
    last_used_at: { ...NullableTimestampSchema, description: 'Exact to a minute' },
    expires_at: { ...NullableTimestampSchema, description: 'From then on it answers 403' },
    allowed_ips: Type.Array(Type.String(), {
      description: 'Networks that may use it; none: all',
    }),
    monthly_quota: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Checks a month of this key; null: as many as the account has',
    }),
    scopes: Type.Array(ScopeSchema, { description: 'Scopes of the key' }),
    client: {
      ...NullableStringSchema,
      description: 'The last Verdict client, such as verdict-node/0.2.0',
    },
    dropped_ips: {
      ...CountSchema,
      description: 'Values of `ip` that clients dropped',
    },
    dropped_ips_at: NullableTimestampSchema,
    old_value: Type.Union([OldValueSchema, Type.Null()]),
  },
  { additionalProperties: false },
);
export type ApiKeyView = Static<typeof ApiKeySchema>;

/** Revoked keys of a listing; an account may have had thousands. */
export const REVOKED_KEYS_MAX = 100;

export const KeysQuerySchema = Type.Object(
  {
    status: Type.Optional(
      Type.Union([Type.Literal('live'), Type.Literal('all')], {
        description: `live (the default) leaves out the revoked ones; all has the last ${REVOKED_KEYS_MAX} of them`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const KeysReplySchema = Success({ keys: Type.Array(ApiKeySchema), keys_max: CountSchema });
export const KeyReplySchema = Success({ key: ApiKeySchema });
export const KeyNetworksReplySchema = Success({ networks: Type.Array(KeyNetworkSchema) });

const KeyName = PlainText(100, 'A descriptive name');

const KEY_TERMS = {
  expires_at: Type.Optional(
    Type.Union([Type.String({ format: 'date-time', maxLength: 40 }), Type.Null()], {
      description: 'A time in the future; null: no expiry',
    }),
  ),
  allowed_ips: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: KEY_NETWORKS_MAX,
      description: 'Addresses or networks such as 203.0.113.0/24 that may use it; none: all',
    }),
  ),
  monthly_quota: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 2_000_000_000 }), Type.Null()], {
      description: 'Checks a month; null: the account’s quota',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(ScopeSchema, {
      minItems: 1,
      maxItems: KEY_SCOPES.length,
      uniqueItems: true,
      description:
        '`check`, `jobs` and `usage` when left out; `lists` and `policies` are the account’s, `outcomes` reports people',
    }),
  ),
};

export const CreateKeyBodySchema = Type.Object(
  {
    name: KeyName,
    mode: Type.Optional({ ...KeyModeSchema, description: 'live when left out; it cannot be changed' }),
    ...KEY_TERMS,
  },
  { additionalProperties: false },
);
export type CreateKeyBody = Static<typeof CreateKeyBodySchema>;

const SHOWN_ONCE = {
  key: ApiKeySchema,
  api_key: Type.String({ description: 'The key, shown once' }),
  in_effect: Type.Boolean({ description: 'False when it will take effect within seconds' }),
};

export const KeyCreatedSchema = Success(SHOWN_ONCE);

export const UpdateKeyBodySchema = Type.Object(
  {
    name: Type.Optional(KeyName),
    active: Type.Optional(Type.Boolean({ description: 'false: answers 403' })),
    ...KEY_TERMS,
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

export const KeyRolledSchema = Success({ ...SHOWN_ONCE, old_value_expires_at: TimestampSchema });
