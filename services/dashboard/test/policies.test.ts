import t from 'tap';
import { ApiError } from '../src/api/api-error.ts';
import type { Clause, Rule } from '../src/api/policies.ts';
import { draftOf, moved, replaced, retold, rulesOf } from '../src/pages/policies/draft-rules.ts';
import { newRule, onField, withOperator } from '../src/pages/policies/edit-clause.ts';
import { endOf, minuteOf } from '../src/pages/policies/end-time.ts';
import { PRESETS, rulesOfPreset } from '../src/pages/policies/presets.ts';
import { readJson, toJson } from '../src/pages/policies/read-json.ts';
import { isSame, ruleChanges } from '../src/pages/policies/rule-changes.ts';
import { errorsBelow, ruleErrors } from '../src/pages/policies/rule-errors.ts';
import { ruleSentence } from '../src/pages/policies/rule-sentence.ts';
import { whole } from '../src/shell/search-params.ts';

const rule = (name: string, ...all: Clause[]): Rule => ({
  name,
  when: { all },
  then: { at_least: 'challenge' },
});
const condition = (field: string, op: string, value: string | number | boolean | null | string[]) => ({
  field,
  op,
  value,
});
const relay = condition('codes', 'has', 'RELAY_DOMAIN');
const NOW = Date.parse('2026-11-19T14:00:00Z');
const say = (...all: Clause[]) => ruleSentence(rule('x', ...all), (id) => (id === 'key_1' ? 'CI' : id), NOW);

t.test('rules are sentences, whatever they ask about', async (t) => {
  t.equal(
    say(relay, condition('seen.mailbox', 'gte', 3)),
    'If the reason codes include RELAY_DOMAIN and there were 3 or more spellings of the mailbox in 7 days: at least challenge',
  );
  const cases: [Clause, string][] = [
    [condition('score', 'gte', 30), 'the score is 30 or more'],
    [condition('score', 'lte', 30), 'the score is 30 or less'],
    [condition('seen.ip', 'lte', 2), 'there were at most 2 mailboxes from the IP in 24 hours'],
    [condition('seen.ip', 'eq', 2), 'there were exactly 2 mailboxes from the IP in 24 hours'],
    [
      condition('decision', 'in', ['allow', 'challenge', 'review']),
      'the decision is allow, challenge or review',
    ],
    [condition('domain', 'under', 'edu.au'), 'the domain is edu.au or below it'],
    [condition('domain', 'ne', 'a.example'), 'the domain is not a.example'],
    [condition('signals.free_provider', 'eq', true), '“Free provider” is true'],
    [condition('signals.free_provider', 'ne', true), '“Free provider” is false'],
    [condition('signals.free_provider', 'ne', false), '“Free provider” is true'],
    [condition('ip.kind', 'eq', null), 'the kind of network is not known'],
    [condition('ip.kind', 'ne', null), 'the kind of network is known'],
    [condition('ip.country', 'in', ['DE', 'UK']), 'the country of the IP is Germany (DE) or UK'],
    [condition('ip.country', 'ne', ''), 'the country of the IP is not …'],
    [condition('ip.asn', 'eq', 'AS64500'), 'the autonomous system of the IP is AS64500'],
    [condition('ip.network', 'eq', '203.0.113.0/24'), 'the network of the IP is 203.0.113.0/24'],
    [condition('domain.shape', 'eq', 'abc123.xyz'), 'the shape of the domain is abc123.xyz'],
    [condition('key', 'eq', 'key_1'), 'the API key is CI'],
    [condition('key', 'in', ['key_1', 'key_2']), 'the API key is CI or key_2'],
    [condition('made.up', 'eq', 1), 'the made.up is 1'],
  ];
  for (const [clause, words] of cases) t.equal(say(clause), `If ${words}: at least challenge`);
});

t.test('nested groups are distinct, and every outcome has its words', async (t) => {
  t.equal(
    say(relay, { any: [condition('score', 'gte', 30), { all: [relay, relay] }] }),
    'If the reason codes include RELAY_DOMAIN and (the score is 30 or more or (the reason codes include RELAY_DOMAIN and the reason codes include RELAY_DOMAIN)): at least challenge',
  );
  const ends = (then: Rule['then']) =>
    ruleSentence({ ...rule('x', relay), then }, String, NOW).split(': ')[1];
  t.strictSame(
    [ends({ at_most: 'review' }), ends({ exactly: 'allow' }), ends({ watch: true })],
    ['at most review', 'exactly allow', 'only watch'],
  );
});

t.test('another field brings its first operator and a value, and `in` takes a list', async (t) => {
  t.strictSame(onField('signals.relay'), condition('signals.relay', 'eq', true));
  t.strictSame(onField('codes'), condition('codes', 'has', ''));
  t.strictSame(onField('ip.kind'), condition('ip.kind', 'eq', 'relay'));
  t.strictSame(onField('ip.country'), condition('ip.country', 'eq', ''));
  t.strictSame(onField('seen.ip'), condition('seen.ip', 'eq', 1));
  const listed = withOperator(condition('domain', 'eq', 'a.example'), 'in');
  t.strictSame(listed, condition('domain', 'in', ['a.example']));
  t.strictSame(withOperator(listed, 'under'), condition('domain', 'under', 'a.example'));
  t.strictSame(withOperator(condition('domain', 'in', []), 'eq'), condition('domain', 'eq', ''));
  t.equal(newRule([rule('Rule 2', relay)]).name, 'Rule 3', 'no name twice');
});

t.test('rules move, and keep their key while they are edited', async (t) => {
  t.strictSame(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a']);
  t.strictSame(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b']);
  const list = ['a'];
  for (const [from, to] of [
    [0, 1],
    [0, -1],
    [3, 0],
  ] as const)
    t.equal(moved(list, from, to), list, 'a place outside changes nothing');
  const draft = draftOf([rule('a', relay), rule('b', relay)]);
  const [first] = draft;
  const renamed = replaced(draft, first?.key ?? 0, rule('z', relay));
  t.strictSame([renamed[0]?.key, renamed[0]?.rule.name], [first?.key, 'z']);
  const typed = retold(draft, [rule('q', relay), rule('b', relay), rule('c', relay)]);
  t.equal(typed[0]?.key, first?.key);
  t.equal(new Set(typed.map(({ key }) => key)).size, 3);
  t.strictSame(
    rulesOf(typed).map(({ name }) => name),
    ['q', 'b', 'c'],
  );
});

t.test('JSON is read as rules or as a whole policy, and a wrong shape names its place', async (t) => {
  const rules = [rule('a', relay, { any: [relay] })];
  t.strictSame(readJson(toJson(rules)), { ok: true, rules });
  t.strictSame(readJson(JSON.stringify({ note: 'n', rules })), { ok: true, rules });
  const wrong: [string, RegExp][] = [
    ['[', /^This is not JSON yet: /],
    ['{}', /list of rules/],
    ['[1]', /^rules\[0\] must be an object/],
    ['[{"when":{"all":[]},"then":{"watch":true}}]', /^rules\[0\]\.name/],
    ['[{"name":"a","when":{"field":"x"},"then":{"watch":true}}]', /^rules\[0\]\.when must hold/],
    ['[{"name":"a","when":{"all":1},"then":{"watch":true}}]', /^rules\[0\]\.when must hold/],
    [
      '[{"name":"a","when":{"all":[{"any":[{"field":1}]}]},"then":{"watch":true}}]',
      /when\.all\[0\]\.any\[0\] needs/,
    ],
    ['[{"name":"a","when":{"all":[null]},"then":{"watch":true}}]', /when\.all\[0\] must be/],
    ['[{"name":"a","when":{"all":[]},"then":{}}]', /then must hold one of/],
    ['[{"name":"a","when":{"all":[]},"then":{"watch":true},"ends_at":1}]', /ends_at must be a text/],
  ];
  for (const [text, error] of wrong) t.match(readJson(text), { ok: false, error }, text);
});

t.test('errors of the server are shown at the rule and the field that they name', async (t) => {
  const error = new ApiError(400, 'invalid', 'x', [
    { field: 'rules[1].when.all[0].op', message: '"under" works on domain only' },
    { field: 'rules[0]', message: 'must be an object' },
    { field: 'rules[2].when.all[0].value[1]', message: 'must be the code of a country' },
    { field: 'rules[2].when.any', message: 'must be a list' },
    { field: 'note', message: 'is too long' },
  ]);
  const errors = ruleErrors(error);
  t.strictSame(errors, [
    { rule: 1, at: 'when.all[0].op', message: '"under" works on domain only' },
    { rule: 0, at: '', message: 'This rule must be an object' },
    { rule: 2, at: 'when.all[0].value[1]', message: 'Value 2 must be the code of a country' },
    { rule: 2, at: 'when.any', message: 'when.any must be a list' },
  ]);
  const below = errorsBelow(errorsBelow(errors.slice(0, 1), 'when'), 'all[0]');
  t.strictSame(
    below.map(({ at }) => at),
    ['op'],
  );
  t.strictSame(errorsBelow(below, 'op')[0]?.at, '');
  t.strictSame(errorsBelow(errors, 'wh'), [], 'a whole word only');
  t.strictSame(ruleErrors(new Error('x')), []);
});

t.test('a comparison of two versions says what was added, removed, changed and moved', async (t) => {
  const [a, b, c] = [rule('a', relay), rule('b', relay), rule('c', relay)];
  const kinds = (before: Rule[], after: Rule[]) =>
    ruleChanges(before, after).map((change) => `${change.kind} ${change.rule.name}`);
  t.strictSame(kinds([a, b], [a, b]), []);
  t.strictSame(kinds([a, b], [b, a]), ['moved b', 'moved a']);
  t.strictSame(kinds([a, b], [b, c]), ['added c', 'removed a']);
  t.strictSame(kinds([a], [{ ...a, then: { watch: true } }]), ['changed a']);
  t.strictSame(kinds([], [a]), ['added a']);
  t.ok(
    isSame({ x: 1, y: [{ a: 1, b: 2 }] }, { y: [{ b: 2, a: 1 }], x: 1 }),
    'the order of members is not a change',
  );
  t.notOk(isSame([a, b], [b, a]));
});

t.test('a sentence says until when its rule matches, and that it has ended', async (t) => {
  const end = (ends_at?: string) =>
    ruleSentence({ ...rule('x', relay), ...(ends_at && { ends_at }) }, String, NOW).split('challenge')[1];
  t.strictSame(
    [end('2026-11-20T14:00:00Z'), end('2026-11-19T15:00:00+01:00'), end('soon'), end()],
    [', until 20 Nov 2026, 14:00 UTC', ', ended 19 Nov 2026, 14:00 UTC', ', until soon', ''],
  );
});

t.test('the field of an end holds UTC to the minute, and empty means none', async (t) => {
  t.strictSame(['2026-11-20T14:00:00Z', '2026-11-20T15:00:30.5+01:00', 'soon', undefined].map(minuteOf), [
    '2026-11-20T14:00',
    '2026-11-20T14:00',
    '',
    '',
  ]);
  t.strictSame(['2026-11-20T14:00', '2026-11-20T14:00:30', ''].map(endOf), [
    '2026-11-20T14:00:00Z',
    '2026-11-20T14:00:00Z',
    undefined,
  ]);
});

t.test('presets have different names, and the rules of one end after 24 hours', async (t) => {
  const names = PRESETS.flatMap(({ rules }) => rules.map(({ name }) => name));
  t.equal(new Set(names).size, names.length);
  const ends = PRESETS.flatMap((preset) => rulesOfPreset(preset, NOW).map(({ ends_at }) => ends_at));
  t.strictSame(
    ends.filter((one) => one !== undefined),
    ['2026-11-20T14:00:00Z', '2026-11-20T14:00:00Z'],
  );
});

t.test('a version in the address is a whole number from 1 on', async (t) => {
  t.strictSame(whole({ version: 3 }, 'version'), { version: 3 });
  for (const version of ['3', 0, 1.5, -1, {}])
    t.strictSame(whole({ version }, 'version'), { version: undefined });
  t.strictSame(whole({}, 'version'), {});
});
