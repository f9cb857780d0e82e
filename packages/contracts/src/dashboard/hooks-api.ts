import { type Static, Type } from 'typebox';
import { DecisionSchema } from '../decision.js';
import { HOOK_KINDS, HOOK_MESSAGE, HOOK_OUTCOMES, REFUSABLE } from '../hook-kinds.js';
import { CountSchema, NullableStringSchema, PlainText, Success, TimestampSchema } from './common.js';

const Kind = Type.Enum(HOOK_KINDS, { description: 'The provider that calls the hook' });
const Refuse = Type.Array(Type.Enum(REFUSABLE), {
  minItems: 1,
  uniqueItems: true,
  description: 'Decisions that refuse a sign-up',
});
const OnError = Type.Union([Type.Literal('allow'), Type.Literal('refuse')], {
  description: 'The answer without a verdict',
});
const Message = PlainText(200, 'Shown to a person whose sign-up is refused');
const KeyId = Type.String({ maxLength: 64, description: 'The key that checks are charged to' });

const HookSchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with hok_' }),
    kind: Kind,
    url: Type.String({ description: 'Path of the URL to paste at the provider' }),
    key_id: Type.String(),
    refuse: Type.Array(Type.Enum(REFUSABLE)),
    on_error: OnError,
    message: Type.String(),
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type HookView = Static<typeof HookSchema>;

export const HooksReplySchema = Success({ hooks: Type.Array(HookSchema), hooks_max: CountSchema });
export const HookReplySchema = Success({ hook: HookSchema });

const Secret = Type.String({
  minLength: 16,
  maxLength: 512,
  description: 'Made by your provider. Two, separated by a bar, are valid together.',
});

export const CreateHookBodySchema = Type.Object(
  {
    kind: Kind,
    key_id: KeyId,
    refuse: Type.Optional({ ...Refuse, default: ['block'] }),
    on_error: Type.Optional({ ...OnError, default: 'allow' }),
    message: Type.Optional({ ...Message, default: HOOK_MESSAGE }),
    secret: Type.Optional(Secret),
  },
  { additionalProperties: false },
);
export const HookCreatedSchema = Success({
  hook: HookSchema,
  secret: Type.String({ description: 'Shown once' }),
});

export const UpdateHookBodySchema = Type.Object(
  {
    key_id: Type.Optional(KeyId),
    refuse: Type.Optional(Refuse),
    on_error: Type.Optional(OnError),
    message: Type.Optional(Message),
    secret: Type.Optional(Secret),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const TestHookBodySchema = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 320, description: 'The address to sign up with' }) },
  { additionalProperties: false },
);
/** The provider's request, signed; sent to the URL of the hook, it gets the answer that the provider would get. */
export const TestHookReplySchema = Success({
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String({ description: 'Send these bytes unchanged' }),
});

const HookDeliverySchema = Type.Object(
  {
    id: Type.String({ description: "The request's id" }),
    at: TimestampSchema,
    event_id: Type.String({ description: 'Retries carry the same' }),
    outcome: Type.Enum(HOOK_OUTCOMES),
    decision: Type.Union([DecisionSchema, Type.Null()]),
    log_id: NullableStringSchema,
    /** A retry of an event that was counted before. */
    replayed: Type.Boolean(),
    duration_ms: CountSchema,
    payload: Type.Unknown({ description: 'As it came, with personal data masked' }),
    status: Type.Integer({ description: 'Of the answer' }),
    answer: Type.Unknown({ description: 'The body of the answer' }),
  },
  { additionalProperties: false },
);
export type HookDeliveryView = Static<typeof HookDeliverySchema>;
export const HookDeliveriesReplySchema = Success({ deliveries: Type.Array(HookDeliverySchema) });
