import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { Clause, Condition, Rule, Then, When } from '@verdict/domain/policy/policy.js';
import fc from 'fast-check';

const TEXTS: Record<string, readonly string[]> = {
  domain: ['example.com', 'mail.example.edu.au', 'relay.example'],
  ending: ['com', 'au', 'example'],
  key: ['key_01K00000000000000000000000', 'key_01K00000000000000000000001'],
  codes: ['RELAY_DOMAIN', 'PLUS_TAG', 'DISPOSABLE_DOMAIN'],
};

const condition = fc
  .constantFrom(...Object.entries(POLICY_LANGUAGE.fields))
  .chain(([field, { type, values, range, nullable }]): fc.Arbitrary<Condition> => {
    const text = fc.constantFrom(...(values ?? TEXTS[field] ?? ['x']));
    return fc.constantFrom(...POLICY_LANGUAGE.operators[type]).chain((op) => {
      const [min, max] = range ?? [0, 0];
      const value: fc.Arbitrary<Condition['value']> =
        type === 'number'
          ? fc.integer({ min, max })
          : type === 'flag'
            ? fc.boolean()
            : op === 'in'
              ? fc.array(text, { minLength: 1, maxLength: 3 })
              : nullable
                ? fc.option(text)
                : text;
      return value.map((one) => ({ field, op, value: one }));
    });
  });

const group = (clause: fc.Arbitrary<Clause>): fc.Arbitrary<When> => {
  const clauses = fc.array(clause, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    clauses.map((all) => ({ all })),
    clauses.map((any) => ({ any })),
  );
};

const decision = fc.constantFrom(...DECISIONS);
const then: fc.Arbitrary<Then> = fc.oneof(
  decision.map((at_least) => ({ at_least })),
  decision.map((at_most) => ({ at_most })),
  decision.map((exactly) => ({ exactly })),
  fc.constant({ watch: true as const }),
);

/** Rules that can be read, over all fields and operators. */
export const arbitraryPolicy: fc.Arbitrary<Rule[]> = fc
  .array(
    fc.record({ when: group(fc.oneof(condition, group(fc.oneof(condition, group(condition))))), then }),
    { maxLength: 8 },
  )
  .map((rules) => rules.map((rule, i) => ({ name: `Rule ${i}`, ...rule })));

/** As many policies, the same for the same seed. */
export const samplePolicies = (numRuns: number, seed: number): Rule[][] =>
  fc.sample(arbitraryPolicy, { numRuns, seed });
