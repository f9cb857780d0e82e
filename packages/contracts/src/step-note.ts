import { type Static, Type } from 'typebox';
import { ListKindSchema, ListNameSchema } from './account-list.js';
import { DecisionSchema } from './decision.js';

/** Rises when a release reads notes of the one before in another way; a worker sets aside what it does not know. */
export const NOTE_VERSION = 3;

/** An entry of the account's own lists that a check met, and what it made of the check. */
const ListMatchSchema = Type.Object(
  {
    at: Type.Integer({ minimum: 0, description: 'Position of the check in its group' }),
    list: ListNameSchema,
    kind: Type.Union([ListKindSchema, Type.Literal('mailbox'), Type.Literal('mx')]),
    value: Type.String(),
    decision: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
  },
  { additionalProperties: false },
);
export type ListMatch = Static<typeof ListMatchSchema>;

const CountSchema = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);

/** How often the things of a check were seen (see burst-rules.ts), and the score where that adds to it. */
const SeenSchema = Type.Object(
  {
    counts: Type.Array(CountSchema, { description: 'Null where it is not counted' }),
    points: Type.Optional(
      Type.Array(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]), {
        description: 'Null where it adds none',
      }),
    ),
    decision: Type.Optional(DecisionSchema),
    risk_score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  { additionalProperties: false },
);
export type Seen = Static<typeof SeenSchema>;

const NeedsSchema = Type.String({
  description:
    'The parts that a step of the caller brings: l subjects for lists, c things to count, f where the caller is',
});

/** The points that repetitions add to a check. */
const BurstSchema = Type.Object(
  {
    at: Type.Integer({ minimum: 0, description: 'Position of the check in its group' }),
    points: Type.Array(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
    decision: DecisionSchema,
    risk_score: Type.Integer({ minimum: 0, maximum: 100 }),
  },
  { additionalProperties: false },
);
export type Burst = Static<typeof BurstSchema>;

/** A caller's account as the step left it. */
const CallerViewSchema = Type.Union([
  Type.Object({
    state: Type.Union([Type.Literal('absent'), Type.Literal('forbidden'), Type.Literal('expired')]),
  }),
  Type.Object(
    {
      state: Type.Literal('known'),
      plan: Type.String(),
      limit: Type.Number(),
      rate: Type.Number(),
      rate_left: Type.Number({ description: 'Burst allowed by the rate' }),
      rate_wait: Type.Number({ description: 'Microseconds until it allows one more' }),
      used: Type.Number(),
      key_limit: Type.Optional(Type.Number({ description: 'Checks a month of a key with its own quota' })),
      key_used: Type.Optional(Type.Number()),
      test: Type.Optional(Type.Literal(true)),
      needs: Type.Optional(NeedsSchema),
      policies: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
]);

/** The outcome of a group as a whole. */
const GroupNoteSchema = Type.Object(
  {
    outcome: Type.Union([
      Type.Literal('granted'),
      Type.Literal('quota'),
      Type.Literal('key_quota'),
      Type.Literal('rate'),
      Type.Literal('remembered'),
      Type.Literal('tests'),
      Type.Literal('replay'),
      Type.Literal('absent'),
      Type.Literal('forbidden'),
      Type.Literal('expired'),
      Type.Literal('address'),
      Type.Literal('scope'),
      Type.Literal('needs'),
    ]),
    caller: Type.Integer({ minimum: 0, description: 'Position in callers' }),
    used: Type.Optional(
      Type.Number({
        description:
          'Checks of the month, these included; where its quota is used up, of the key; where the tests of the day are, those',
      }),
    ),
    limit: Type.Optional(Type.Number({ description: 'Of tests: how many a day has' })),
    test: Type.Optional(
      Type.Literal(true, { description: 'By a test key: to be logged, and counted nowhere' }),
    ),
    matches: Type.Optional(Type.Array(ListMatchSchema)),
    counts: Type.Optional(
      Type.String({
        description: 'Per check a character for each kind of things: 1 to 9, a to g, or a dash',
      }),
    ),
    bursts: Type.Optional(
      Type.Array(BurstSchema, { description: 'Of checks to whose score repetitions add' }),
    ),
    seen: Type.Optional(
      Type.Array(SeenSchema, { description: 'The same by position, in a note that a job brings along' }),
    ),
    policies: Type.Optional(
      Type.String({
        description: 'Versions of the policy that judge it, "<live>/<shadow>"; needed, or used',
      }),
    ),
    needs: Type.Optional(NeedsSchema),
    networks: Type.Optional(
      Type.Literal(false, { description: 'Of a preview: the account has no networks of IPs looked up' }),
    ),
    met: Type.Optional(
      Type.Object(
        {
          lists: Type.String({ description: 'Version of the lists' }),
          extra: Type.Integer({ minimum: 0, description: 'Checks that looking costs the rate besides' }),
          ends: Type.Optional(
            Type.Number({ description: 'Microsecond at which the first matched entry ends' }),
          ),
        },
        { additionalProperties: false, description: 'Of a preview: how long and for what its matches hold' },
      ),
    ),
    unknown: Type.Optional(
      Type.Boolean({ description: 'Of forbidden: the account has no such credential, or none any more' }),
    ),
    record: Type.Optional(Type.String({ description: 'Of a replay: what the first request left' })),
  },
  { additionalProperties: false },
);
export type GroupNote = Static<typeof GroupNoteSchema>;

/**
 * The decision of one step: for its caller, for a repetition under the same batch id, and for the worker, which stores
 * what was granted. `undone` says why nothing was decided or written.
 */
export const StepNoteSchema = Type.Object(
  {
    v: Type.Literal(NOTE_VERSION),
    now: Type.Number({ description: 'Microseconds of the clock of Redis: created_at of everything granted' }),
    undone: Type.Optional(Type.Union([Type.Literal('stale'), Type.Literal('void'), Type.Literal('no_job')])),
    callers: Type.Array(CallerViewSchema),
    groups: Type.Array(GroupNoteSchema),
  },
  { additionalProperties: false },
);
export type StepNote = Static<typeof StepNoteSchema>;
export type CallerView = StepNote['callers'][number];
