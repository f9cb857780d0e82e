import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import { DECISIONS, decisionForScore } from '@verdict/domain/decision.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { PolicyFault } from '@verdict/domain/policy/policy-fault.js';
import type { PolicyNetwork } from '@verdict/domain/policy/policy-network.js';
import { readPolicy } from '@verdict/domain/policy/read-policy.js';
import { arbitraryPolicy } from '@verdict/local-stack/arbitrary-policy.js';
import fc from 'fast-check';
import t from 'tap';
import { judge } from '../src/judge.js';

const read = (value: unknown) => readPolicy(value, POLICY_LANGUAGE);

const relays: Rule = {
  name: 'Relays confirm',
  when: { all: [{ field: 'codes', op: 'has', value: 'RELAY_DOMAIN' }] },
  then: { at_least: 'challenge' },
};

function faultOf(value: unknown): string {
  try {
    read(value);
  } catch (error) {
    if (error instanceof PolicyFault) return `${error.field}: ${error.message}`;
    throw error;
  }
  return 'none';
}

const when = (condition: object) => ({ rules: [{ ...relays, when: { all: [condition] } }] });

const verdict = (score: number, extra: Partial<DecidedVerdict> = {}): DecidedVerdict => ({
  risk_score: score,
  decision: decisionForScore(score),
  signals: { disposable_email: false, mx_valid: true, free_provider: false },
  extra: { suggestion: null },
  factors: score === 0 ? [] : [{ code: 'RELAY_DOMAIN', points: score, reason: 'A relay' }],
  datasets: '1/1/1',
  ...extra,
});

const NOW = Date.parse('2026-11-20T14:00:00Z') * 1_000 + 123_456;
const asked = {
  domain: 'mail.example.edu.au',
  key: 'key_01K00000000000000000000000',
  network: { ip: '203.0.113.7', kind: 'tor', country: 'DE', asn: 'AS64500' },
  atMicros: NOW,
};
const judged = (rules: readonly Rule[], found = verdict(20), match?: ListMatch, seen?: Seen) =>
  judge(found, match, seen, { ...asked, policy: compilePolicy(rules) });

t.test('a policy that cannot be read is refused with the rule and the field', async (t) => {
  const deep = { any: [{ all: [{ any: [{ all: [{ field: 'score', op: 'gte', value: 1 }] }] }] }] };
  const condition = { field: 'score', op: 'gte', value: 1 };
  const many = { all: Array.from({ length: 201 }, () => condition) };
  const half = { all: Array.from({ length: 101 }, () => condition) };
  const wide = {
    all: [
      {
        field: 'domain',
        op: 'in',
        value: Array.from({ length: 200 }, (_, i) => `${'a'.repeat(50)}${i}.example.com`),
      },
    ],
  };
  const cases: [unknown, string][] = [
    [null, 'policy: must be an object'],
    [{ rules: {} }, 'rules: must be a list of rules'],
    [{ rules: Array.from({ length: 51 }, () => relays) }, 'rules: has more than 50 rules'],
    [{ rules: [], more: 1 }, 'policy: may hold rules, note only, not "more"'],
    [{ rules: [{ ...relays, name: '' }] }, 'rules[0].name: must have 1 to 80 characters'],
    [{ rules: [{ ...relays, name: 'x'.repeat(81) }] }, 'rules[0].name: must have 1 to 80 characters'],
    [{ rules: [{ ...relays, name: 7 }] }, 'rules[0].name: must be a text'],
    ...['a\u0000', 'a\nb', '\ud800', '\u202egnp', 'a\u2028'].map((name): [unknown, string] => [
      { rules: [{ ...relays, name }] },
      'rules[0].name: holds a character that cannot be shown',
    ]),
    [{ rules: [relays, relays] }, 'rules[1].name: is the name of an earlier rule'],
    [{ rules: [], note: 'x'.repeat(201) }, 'note: must have 0 to 200 characters'],
    [
      { rules: [{ ...relays, when: deep }] },
      'rules[0].when.any[0].all[0].any[0]: is nested more than 3 deep',
    ],
    [{ rules: [{ ...relays, when: {} }] }, 'rules[0].when: must hold either all or any'],
    [{ rules: [{ ...relays, when: { all: [], any: [] } }] }, 'rules[0].when: must hold either all or any'],
    [
      { rules: [{ ...relays, when: { any: [] } }] },
      'rules[0].when.any: must be a list of 1 to 200 conditions',
    ],
    [{ rules: [{ ...relays, when: many }] }, 'rules[0].when.all: must be a list of 1 to 200 conditions'],
    [
      {
        rules: [
          { ...relays, when: half },
          { ...relays, name: 'b', when: half },
        ],
      },
      'rules[1].when.all[99]: is one more than 200 conditions in all',
    ],
    [
      { rules: [1, 2, 3].map((i) => ({ ...relays, name: `${i}`, when: wide })) },
      'rules: has more than 32768 bytes as JSON',
    ],
    [
      { rules: [{ ...relays, then: {} }] },
      'rules[0].then: must hold exactly one of at_least, at_most, exactly, watch',
    ],
    [{ rules: [{ ...relays, then: { watch: 1 } }] }, 'rules[0].then.watch: must be true'],
    [
      { rules: [{ ...relays, then: { exactly: 'ALLOW' } }] },
      'rules[0].then.exactly: must be one of allow, challenge, review, block',
    ],
    [
      { rules: [{ ...relays, then: { at_least: 'block', at_most: 'block' } }] },
      'rules[0].then: must hold exactly one of at_least, at_most, exactly, watch',
    ],
    ...[
      7,
      '',
      'tomorrow',
      '2026-11-20',
      '2026-11-20T14:00:00',
      '2026-02-31T14:00:00Z',
      '2026-11-20T24:00:00Z',
      '2026-11-20T14:00:60Z',
      '2026-11-20T14:00:00.1234567Z',
      '2026-11-20T14:00:00+99:00',
      '1999-11-20T14:00:00Z',
    ].map((ends_at): [unknown, string] => [
      { rules: [relays, { ...relays, name: 'b', ends_at }] },
      'rules[1].ends_at: must be a time with its offset, such as 2026-11-20T14:00:00Z',
    ]),
    [when({ field: 'local', op: 'eq', value: 'x' }), 'rules[0].when.all[0].field: is not a field of checks'],
    [
      when({ field: '__proto__', op: 'eq', value: 'x' }),
      'rules[0].when.all[0].field: is not a field of checks',
    ],
    [
      when({ field: 'constructor', op: 'eq', value: 'x' }),
      'rules[0].when.all[0].field: is not a field of checks',
    ],
    [
      when({ field: 'domain', op: 'matches', value: '.*' }),
      'rules[0].when.all[0].op: must be one of eq, ne, in, under',
    ],
    [
      when({ field: 'ending', op: 'under', value: 'au' }),
      'rules[0].when.all[0].op: "under" does not work on ending',
    ],
    [when({ field: 'codes', op: 'eq', value: 'X' }), 'rules[0].when.all[0].op: "eq" does not work on codes'],
    [
      when({ field: 'score', op: 'gte', value: '30' }),
      'rules[0].when.all[0].value: must be a whole number from 0 to 100',
    ],
    [
      when({ field: 'score', op: 'gte', value: 1e9 }),
      'rules[0].when.all[0].value: must be a whole number from 0 to 100',
    ],
    [
      when({ field: 'seen.ip', op: 'gte', value: 0 }),
      'rules[0].when.all[0].value: must be a whole number from 1 to 16',
    ],
    [
      when({ field: 'signals.relay', op: 'eq', value: 'true' }),
      'rules[0].when.all[0].value: must be true or false',
    ],
    [
      when({ field: 'ip.kind', op: 'eq', value: 'bus' }),
      'rules[0].when.all[0].value: must be one of relay, tor, vpn, hosting',
    ],
    ...['UK', 'Germany', ''].map((value): [unknown, string] => [
      when({ field: 'ip.country', op: 'eq', value }),
      'rules[0].when.all[0].value: must be the ISO 3166 code of a country, such as DE',
    ]),
    ...['AS', '4294967296', '01', '64500 '].map((value): [unknown, string] => [
      when({ field: 'ip.asn', op: 'in', value: [value] }),
      'rules[0].when.all[0].value[0]: must be the number of an autonomous system, such as AS64500',
    ]),
    [when({ field: 'key', op: 'eq', value: null }), 'rules[0].when.all[0].value: must be a text'],
    [
      when({ field: 'key', op: 'eq', value: 'key_1' }),
      'rules[0].when.all[0].value: must be the id of an API key',
    ],
    [
      when({ field: 'ending', op: 'eq', value: '.com' }),
      'rules[0].when.all[0].value: must be the ending of a domain without its dot, such as com',
    ],
    [
      when({ field: 'domain', op: 'in', value: [] }),
      'rules[0].when.all[0].value: must be a list of 1 to 200 texts',
    ],
    [
      when({ field: 'domain', op: 'eq', value: 'no dot' }),
      'rules[0].when.all[0].value: is not a domain (the domain contains a space)',
    ],
    [
      when({ field: 'codes', op: 'has', value: '(a+)+$' }),
      'rules[0].when.all[0].value: must be the code of a factor, such as RELAY_DOMAIN',
    ],
    [when({ ...condition, regex: 'x' }), 'rules[0].when.all[0]: may hold field, op, value only, not "regex"'],
  ];
  for (const [value, fault] of cases) t.equal(faultOf(value), fault);
});

t.test('no input makes reading fail in another way, and what was read reads again as it is', async (t) => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => typeof faultOf(value) === 'string'));
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (rules) => typeof faultOf({ rules }) === 'string'),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(arbitraryPolicy(NOW), (rules) => {
      const once = read({ rules });
      t.strictSame(read(JSON.parse(JSON.stringify(once))), once);
    }),
    { numRuns: 200 },
  );
});

t.test('each operator, on what a check has', async (t) => {
  const found = verdict(40, { extra: { suggestion: null, relay: true } });
  const seen: Seen = { counts: [3, null, null, 16] };
  const cases: [string, string, unknown, boolean][] = [
    ['score', 'eq', 40, true],
    ['score', 'ne', 40, false],
    ['score', 'gte', 40, true],
    ['score', 'lte', 39, false],
    ['decision', 'in', ['challenge', 'review'], true],
    ['codes', 'has', 'RELAY_DOMAIN', true],
    ['codes', 'has', 'RELAY', false],
    ['domain', 'under', 'EDU.AU', true],
    ['domain', 'under', 'au', true],
    ['domain', 'under', 'u.au', false],
    ['domain', 'eq', 'Mail.example.edu.au', true],
    ['domain', 'in', ['example.com'], false],
    ['ending', 'eq', 'AU', true],
    ['ending', 'ne', 'com', true],
    ['signals.relay', 'eq', true, true],
    ['signals.plus_tag', 'eq', false, true],
    ['signals.mx_valid', 'ne', true, false],
    ['seen.mailbox', 'gte', 3, true],
    ['seen.domain', 'ne', 3, false],
    ['seen.domain', 'lte', 16, false],
    ['seen.ip', 'eq', 16, true],
    ['ip.kind', 'eq', 'tor', true],
    ['ip.kind', 'eq', null, false],
    ['ip.country', 'eq', 'de', true],
    ['ip.country', 'in', ['FR', 'de'], true],
    ['ip.country', 'ne', 'DE', false],
    ['ip.asn', 'eq', 'as64500', true],
    ['ip.asn', 'in', ['64501', '64500'], true],
    ['ip.asn', 'ne', 'AS64501', true],
    ['ip.network', 'eq', '203.0.113.99', true],
    ['ip.network', 'in', ['198.51.100.0/24', '203.0.113.0/24'], true],
    ['ip.network', 'ne', '203.0.113.0/24', false],
    ['domain.shape', 'eq', 'post.sample.edu.au', true],
    ['domain.shape', 'eq', 'post7.sample.edu.au', false],
    ['domain.shape', 'in', ['abc.abc.abc.au'], true],
    ['key', 'in', [asked.key], true],
  ];
  for (const [field, op, value, matches] of cases) {
    const { rules } = read(when({ field, op, value }));
    t.equal(judged(rules, found, undefined, seen).rule, matches ? 0 : undefined, `${field} ${op} ${value}`);
  }
  const { rules } = read(when({ field: 'ip.kind', op: 'ne', value: 'vpn' }));
  const about = (network: PolicyNetwork) =>
    judge(found, undefined, undefined, { ...asked, network, policy: compilePolicy(rules) }).rule;
  t.strictSame(
    [about({ kind: null }), about({})],
    [0, undefined],
    'a network that was not looked up matches nothing',
  );
  const near = read(when({ field: 'ip.network', op: 'ne', value: '198.51.100.0/24' })).rules;
  const from = (ip: string | undefined) =>
    judge(found, undefined, undefined, { ...asked, network: { ip }, policy: compilePolicy(near) }).rule;
  t.strictSame([from('203.0.113.7'), from(undefined)], [0, undefined], 'without an IP there is no network');
  const bulb = { field: 'domain', op: 'eq', value: 'BÜCHER.example' };
  t.match(read(when(bulb)).rules, [{ when: { all: [{ value: 'xn--bcher-kva.example' }] } }]);
});

t.test('the first rule that matches decides, watching ends nothing, and lists come first', async (t) => {
  const all = { all: [{ field: 'score', op: 'gte', value: 0 }] };
  const rules: Rule[] = [
    {
      name: 'Never',
      when: { all: [{ field: 'ending', op: 'eq', value: 'com' }] },
      then: { exactly: 'block' },
    },
    { name: 'Look', when: all, then: { watch: true } },
    relays,
    { name: 'Later', when: all, then: { exactly: 'block' } },
  ];
  t.match(judged(rules), {
    decision: 'challenge',
    risk_score: 30,
    own_score: 20,
    rule: 2,
    watched: [1],
    factors: [
      { code: 'RELAY_DOMAIN', points: 20 },
      { code: 'POLICY_WATCH', points: 0, reason: "Your rule 'Look' watches this check" },
      { code: 'POLICY', points: 10, reason: "Your rule 'Relays confirm' asks for challenge" },
    ],
  });
  const match: ListMatch = {
    at: 0,
    list: 'allow',
    kind: 'domain',
    value: 'edu.au',
    decision: 'allow',
    risk_score: 0,
  };
  t.strictSame(judged(rules, verdict(20), match), judge(verdict(20), match), 'an entry decides alone');
  t.strictSame(judged([], verdict(20)), judge(verdict(20)), 'no rules change nothing');
  t.equal(judged([{ ...relays, then: { at_least: 'allow' } }]).factors.at(-1)?.points, 0);
});

t.test(
  'a rule matches until the microsecond of its end, and lets the next one decide after it',
  async (t) => {
    const then = { exactly: 'block' } as const;
    const rules = (ends_at: string) =>
      read({
        rules: [
          { ...relays, ends_at },
          { ...relays, name: 'Later', then },
        ],
      }).rules;
    const cases: [string, number][] = [
      ['2026-11-20T14:00:00.123455Z', 1],
      ['2026-11-20T14:00:00.123456Z', 1],
      ['2026-11-20T14:00:00.123457Z', 0],
      ['2026-11-20T15:00:00.123456+01:00', 1],
      ['2026-11-20T15:00:00.123457+01:00', 0],
      ['2026-11-20T14:00:00Z', 1],
      ['2026-11-20T14:00:01Z', 0],
      ['2020-01-01T00:00:00Z', 1],
    ];
    for (const [ends_at, rule] of cases) t.equal(judged(rules(ends_at)).rule, rule, ends_at);
    const spellings = ['2026-11-20T15:30:00+01:30', '2026-11-20T14:00:00.5Z', null].map((ends_at) => {
      const [rule] = read({ rules: [{ ...relays, ends_at }] }).rules;
      return rule?.ends_at;
    });
    t.strictSame(spellings, ['2026-11-20T14:00:00Z', '2026-11-20T14:00:00.500000Z', undefined]);
    t.notOk('ends_at' in (read({ rules: [relays] }).rules[0] ?? {}), 'a rule without an end stays as it is');
  },
);

t.test('bands hold and points add up under every policy', async (t) => {
  const asks = { at_least: Math.max, at_most: Math.min };
  fc.assert(
    fc.property(arbitraryPolicy(NOW), fc.integer({ min: 0, max: 100 }), (rules, score) => {
      const { decision, risk_score, own_score, factors, rule } = judged(
        read({ rules }).rules,
        verdict(score),
      );
      t.equal(decision, decisionForScore(risk_score));
      t.equal(
        factors.reduce((sum, { points }) => sum + points, 0),
        risk_score,
      );
      t.equal(own_score, score);
      t.ok(risk_score >= 0 && risk_score <= 100);
      if (rule === undefined) return t.equal(risk_score, score);
      const then = (rules[rule] as Rule).then;
      const own = DECISIONS.indexOf(decisionForScore(score));
      if ('exactly' in then) t.equal(decision, then.exactly);
      for (const [kind, choose] of Object.entries(asks)) {
        const wanted = (then as Record<string, string>)[kind];
        if (wanted) t.equal(DECISIONS.indexOf(decision), choose(own, DECISIONS.indexOf(wanted as 'allow')));
      }
    }),
    { numRuns: 500 },
  );
});
