import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '@verdict/local-stack/program.js';
import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';

// `pull` and `push` against a real server are in test/browser/policies.test.ts; here they meet answers that are hard to get there.

const folder = mkdtempSync(join(tmpdir(), 'verdict-policy-'));
const fileOf = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const asked: { method?: string; url?: string; body: string; key?: string | string[] | undefined }[] = [];
const answers = new Map<string, { status: number; body: object }>();
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { method = '', url = '', headers } = request;
  asked.push({ method, url, body, key: headers['x-api-key'] });
  const answer = answers.get(`${method} ${url}`) ?? {
    status: 404,
    body: { error: 'Not found', code: 'not_found' },
  };
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`;

async function verdict(args: readonly string[], env: Record<string, string> = {}) {
  const run = startProcess(process.execPath, [programFile('verdict'), 'policy', ...args], {
    PATH: process.env.PATH ?? '',
    VERDICT_DATA_DIR: folder,
    VERDICT_URL: url,
    VERDICT_API_KEY: 'a-key',
    ...env,
  });
  const { code } = await run.exited;
  return { code, output: run.output().trim() };
}

const RULES = [
  {
    name: 'Relays confirm',
    when: {
      all: [
        { field: 'codes', op: 'has', value: 'RELAY_DOMAIN' },
        { field: 'seen.mailbox', op: 'gte', value: 3 },
      ],
    },
    then: { at_least: 'challenge' },
  },
  {
    name: 'Our schools',
    when: { any: [{ field: 'domain', op: 'under', value: 'edu.au' }] },
    then: { exactly: 'allow' },
  },
  {
    name: 'Role at a VPN',
    when: {
      all: [
        { field: 'signals.role_account', op: 'eq', value: true },
        { field: 'ip.kind', op: 'eq', value: 'vpn' },
        { field: 'ip.country', op: 'ne', value: 'NL' },
        { field: 'decision', op: 'eq', value: 'allow' },
      ],
    },
    then: { at_least: 'review' },
  },
];
const EXAMPLES = [
  {
    name: 'a relay seen three times',
    given: { score: 10, codes: ['RELAY_DOMAIN'], seen: { mailbox: 3 } },
    expect: 'challenge',
    rule: 'Relays confirm',
  },
  { given: { score: 10, codes: ['RELAY_DOMAIN'] }, expect: 'allow', rule: null },
  { given: { score: 90, domain: 'School.EDU.au' }, expect: 'allow', rule: 'Our schools' },
  { given: { signals: { role_account: true }, ip: { kind: 'vpn', country: 'DE' } }, expect: 'review' },
];

t.test('examples that hold end with 0, and one that fails with 1 and its row', async (t) => {
  const good = await verdict(['test', fileOf('good.json', { rules: RULES, examples: EXAMPLES })]);
  t.match(good, { code: 0, output: /4 of 4 examples hold\.$/ });
  const wrong = [...EXAMPLES, { name: 'too hopeful', given: { score: 85 }, expect: 'allow' }];
  const bad = await verdict(['test', fileOf('bad.json', { rules: RULES, examples: wrong })]);
  t.match(bad, { code: 1, output: /too hopeful +false +allow +block/ });
  t.match(bad.output, /4 of 5 examples hold\.$/);
  const another = [{ given: { score: 90, domain: 'a.edu.au' }, expect: 'allow', rule: 'Relays confirm' }];
  const json = await verdict(['test', fileOf('rule.json', { rules: RULES, examples: another }), '--json']);
  t.equal(json.code, 1, 'the right decision by another rule does not hold');
  t.match(JSON.parse(json.output), [{ holds: false, decision: 'allow', rule: 'Our schools' }]);
  const none = await verdict(['test', fileOf('none.json', { note: 'n', rules: RULES })]);
  t.match(none, { code: 0, output: /no examples/ });
});

t.test('examples name mail servers', async (t) => {
  const rule = (field: string, op: string, value: string) => ({
    name: field,
    when: { all: [{ field, op, value }] },
    then: { exactly: 'block' },
  });
  const rules = [rule('mail.host', 'has', 'mx2.bad.example'), rule('mail.operator', 'eq', 'worse.example')];
  const behind = (operator: string, ...hosts: string[]) => ({ mx: { operator, hosts } });
  const examples = [
    {
      given: behind('bad.example', 'mx1.bad.example', 'mx2.bad.example'),
      expect: 'block',
      rule: 'mail.host',
    },
    { given: behind('worse.example', 'a.worse.example'), expect: 'block', rule: 'mail.operator' },
    { given: behind('bad.example', 'mx1.bad.example'), expect: 'allow', rule: null },
    { given: {}, expect: 'allow', rule: null },
  ];
  const tested = await verdict(['test', fileOf('mail.json', { rules, examples })]);
  t.match(tested, { code: 0, output: /4 of 4 examples hold/ });
});

t.test('examples are judged now, or at the instant that they name', async (t) => {
  const ends_at = '2026-01-01T00:00:00Z';
  const rules = [{ ...RULES[1], ends_at }];
  const given = { score: 90, domain: 'a.edu.au' };
  const examples = [
    { name: 'the last microsecond', at: '2025-12-31T23:59:59.999999Z', given, expect: 'allow' },
    { name: 'the end', at: '2026-01-01T01:00:00+01:00', given, expect: 'block', rule: null },
    { name: 'now', given, expect: 'block', rule: null },
  ];
  t.match(await verdict(['test', fileOf('ends.json', { rules, examples })]), {
    code: 0,
    output: /3 of 3 examples hold/,
  });
});

t.test('a policy that the language refuses ends with 1 and names rule and field', async (t) => {
  const rules = [{ ...RULES[0], when: { all: [{ field: 'score', op: 'under', value: 'a.example' }] } }];
  const { code, output } = await verdict(['test', fileOf('refused.json', { rules })]);
  t.equal(code, 1);
  t.match(output, 'rules[0].when.all[0].op: "under" does not work on score');
});

t.test('wrong usage ends with 2 and one line, and help with 0', async (t) => {
  const cases: [string[], RegExp][] = [
    [['test'], /missing required argument 'file'/],
    [['test', join(folder, 'nowhere.json')], /nowhere\.json: ENOENT/],
    [['test', fileOf('half.json', '{')], /half\.json: .*JSON/],
    [['test', fileOf('list.json', [])], /an object with rules/],
    [
      ['test', fileOf('shape.json', { rules: [], examples: [{ given: {}, expect: 'maybe' }] })],
      /examples\/0\/expect/,
    ],
    [
      ['test', fileOf('at.json', { rules: [], examples: [{ at: 'soon', given: {}, expect: 'allow' }] })],
      /examples\/0\/at must be a time/,
    ],
    [['push', fileOf('push.json', { rules: RULES }), '--expect', '3'], /need --live/],
    [['pull', '--version', 'three'], /Enter a version/],
    [['pull', '--nonsense'], /unknown option/],
    [['nonsense'], /unknown command/],
  ];
  for (const [args, sentence] of cases) {
    const { code, output } = await verdict(args);
    t.equal(code, 2, `${args.join(' ')}: ${output}`);
    t.match(output, sentence);
    t.equal(output.split('\n').length, 1, output);
  }
  t.equal(asked.length, 0, 'nothing was sent');
  t.match(await verdict(['--help']), { code: 0, output: /pull|test|push/ });
});

t.test('pull keeps the examples of the file, and push sends all but these', async (t) => {
  const view = { version: 7, rules: RULES, note: 'Relays', created_at: '', created_by: null, state: 'live' };
  answers.set('GET /api/v1/policies/?limit=1', {
    status: 200,
    body: { policies: [], live: 7, shadow: null },
  });
  answers.set('GET /api/v1/policies/7/', { status: 200, body: { policy: view } });
  const file = fileOf('kept.json', { rules: [], examples: EXAMPLES });
  t.match(await verdict(['pull', file]), { code: 0, output: /version: +7/ });
  t.strictSame(JSON.parse(readFileSync(file, 'utf8')), { note: 'Relays', rules: RULES, examples: EXAMPLES });
  t.equal(asked[0]?.key, 'a-key');
  t.strictSame(JSON.parse((await verdict(['pull', '--version', '7'])).output), {
    note: 'Relays',
    rules: RULES,
  });

  answers.set('POST /api/v1/policies/', { status: 201, body: { policy: { ...view, version: 8 } } });
  answers.set('PUT /api/v1/policies/live/', { status: 200, body: { live: 8, previous: 7 } });
  asked.length = 0;
  t.match(await verdict(['push', file, '--live', '--expect', '7', '--json']), { code: 0 });
  t.strictSame(
    asked.map(({ body }) => JSON.parse(body)),
    [
      { note: 'Relays', rules: RULES },
      { version: 8, expect: 7 },
    ],
  );
  asked.length = 0;
  t.match(await verdict(['push', file, '--live', '--expect', 'none', '--really']), { code: 0 });
  t.strictSame(JSON.parse(asked[1]?.body ?? ''), { version: 8, expect: null, really: true });
});

t.test('a refusal of the server ends with 1 and its sentence', async (t) => {
  const file = fileOf('refuse.json', { rules: RULES });
  const errors = [{ field: 'rules[0].name', message: 'is the name of an earlier rule' }];
  answers.set('POST /api/v1/policies/', { status: 400, body: { error: 'x', code: 'invalid', errors } });
  t.match(await verdict(['push', file]), {
    code: 1,
    output: 'rules[0].name: is the name of an earlier rule',
  });
  answers.set('GET /api/v1/policies/?limit=1', {
    status: 200,
    body: { policies: [], live: null, shadow: null },
  });
  t.match(await verdict(['pull']), { code: 1, output: /no policy is live/ });
  t.match(await verdict(['pull', '--version', '99']), { code: 1, output: 'Not found' });
  t.match(await verdict(['pull'], { VERDICT_URL: 'http://127.0.0.1:9/' }), {
    code: 1,
    output: /cannot be reached/,
  });
  t.match(await verdict(['pull'], { VERDICT_API_KEY: '' }), {
    code: 1,
    output: /VERDICT_API_KEY is missing/,
  });
});

t.test('the live rules are shown with what each matched, as a table and as JSON', async (t) => {
  const live = { version: 3, rules: [{ rule: 'Relays confirm', today: 2, last_7_days: 9 }] };
  answers.set('GET /api/v1/policies/live/', { status: 200, body: { success: true, live } });
  const shown = await verdict(['live']);
  t.equal(shown.code, 0, shown.output);
  t.match(shown.output, /Version 3 is live/);
  t.match(shown.output, /Relays confirm\s+2\s+9/);
  t.strictSame(JSON.parse((await verdict(['live', '--json'])).output), live);
  answers.set('GET /api/v1/policies/live/', { status: 200, body: { success: true, live: null } });
  t.equal((await verdict(['live'])).output, 'No policy is live.');
});
