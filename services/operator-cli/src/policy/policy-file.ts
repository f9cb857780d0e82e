import { DecisionSchema } from '@verdict/contracts/decision.js';
import { IpNetworkSchema } from '@verdict/contracts/ip-network.js';
import { MailServersSchema } from '@verdict/contracts/signals.js';
import { instantMicros } from '@verdict/domain/instant-micros.js';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const CountSchema = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);

/** A check as rules see it; everything that is left out is nothing found. */
const GivenSchema = Type.Object(
  {
    score: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    codes: Type.Optional(Type.Array(Type.String())),
    domain: Type.Optional(Type.String()),
    signals: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    seen: Type.Optional(
      Type.Object(
        {
          mailbox: Type.Optional(CountSchema),
          domain: Type.Optional(CountSchema),
          shape: Type.Optional(CountSchema),
          ip: Type.Optional(CountSchema),
        },
        { additionalProperties: false },
      ),
    ),
    mx: Type.Optional(MailServersSchema),
    ip: Type.Optional(
      Type.Object(
        { ...Type.Partial(IpNetworkSchema).properties, address: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    ),
    key: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const ExampleSchema = Type.Object(
  {
    name: Type.Optional(Type.String()),
    /** When the check is made; now where it is left out. */
    at: Type.Optional(Type.String()),
    given: GivenSchema,
    expect: DecisionSchema,
    rule: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: false },
);
export type Example = Static<typeof ExampleSchema>;
const ExamplesSchema = Type.Array(ExampleSchema);

/** A policy in git: what the API takes, and examples that only `verdict policy test` reads. */
export interface PolicyFile {
  /** Unread: readPolicy or the server judges it. */
  readonly policy: Readonly<Record<string, unknown>>;
  readonly examples: readonly Example[];
}

/** Reads the text of a file. Throws a sentence about JSON or examples of the wrong shape. */
export function readPolicyFile(text: string): PolicyFile {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('a policy file is an object with rules, and may have a note and examples');
  const { examples = [], ...policy } = value as Record<string, unknown>;
  if (!Value.Check(ExamplesSchema, examples)) {
    const [first] = Value.Errors(ExamplesSchema, examples);
    throw new Error(`examples${first?.instancePath ?? ''} ${first?.message ?? 'has the wrong shape'}`);
  }
  for (const [i, { at }] of examples.entries()) {
    if (at !== undefined && instantMicros(at) === null)
      throw new Error(`examples/${i}/at must be a time with its offset, such as 2026-11-20T14:00:00Z`);
  }
  return { policy, examples };
}
