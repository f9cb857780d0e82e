import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { Clause, Condition, Rule, Then, When } from '@verdict/domain/policy/policy.js';
import fc from 'fast-check';

const TEXTS: Record<string, readonly string[]> = {
  domain: ['example.com', 'mail.example.edu.au', 'relay.example'],
  'mail.host': ['mail.example-corp.com', 'mx2.rotating-hosts.net', 'example-corp.com', 'rotating-hosts.net'],
  'mail.operator': ['example-corp.com', 'rotating-hosts.net'],
  ending: ['com', 'au', 'example'],
  'ip.country': ['DE', 'FR'],
  'ip.asn': ['AS64500', 'AS64501'],
  'domain.shape': ['abc.com', 'abc.abc.abc.au', 'abc-abc.com', 'abc.example'],
  'ip.network': ['192.0.2.0/24', '5.9.12.0/24', '185.220.101.0/24', '2001:4860:4860::/48'],
  key: ['key_01K00000000000000000000000', 'key_01K00000000000000000000001'],
  codes: ['RELAY_DOMAIN', 'PLUS_TAG', 'DISPOSABLE_DOMAIN'],
};

const condition = fc
  .constantFrom(...Object.entries(POLICY_LANGUAGE.fields))
  .chain(([field, { type, values, range, nullable }]): fc.Arbitrary<Condition> => {
    const text = fc.constantFrom(...(TEXTS[field] ?? values ?? ['x']));
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

const SECOND = 1_000_000;
const when = group(fc.oneof(condition, group(fc.oneof(condition, group(condition)))));

/** Rules that can be read, over all fields and operators. Some end at an instant or a microsecond beside it. */
export function arbitraryPolicy(endsAround: number): fc.Arbitrary<Rule[]> {
  const end = fc.constantFrom(-SECOND, -1, 0, 1, SECOND).map((micros) => ({
    ends_at: formatCreatedAt(endsAround + micros),
  }));
  const rule = fc.tuple(fc.record({ when, then }), fc.oneof(fc.constant({}), end));
  return fc
    .array(rule, { maxLength: 8 })
    .map((rules) => rules.map(([asked, ends], i) => ({ name: `Rule ${i}`, ...asked, ...ends })));
}

/** As many policies, the same for the same seed and instant. */
export const samplePolicies = (numRuns: number, seed: number, endsAround: number): Rule[][] =>
  fc.sample(arbitraryPolicy(endsAround), { numRuns, seed });
