import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { Verdict, VerdictError } from '@verdict/sdk';
import openapiTS, { astToString } from 'openapi-typescript';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';
import { hasPython } from './run-clients.js';

const GENERATED_CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const [, , baseUrl = '', apiKey = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });
const { data, error } = await client.POST('/api/v1/check/', { body: { email: 'test@mailinator.com' } });
if (error) throw new Error(error.error);
const decision: components['schemas']['Decision'] = data.decision;
console.log(decision);
`;

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: Content; responses: Record<string, Partial<Content>> }>
  >;
}
interface Content {
  readonly content: Record<string, { examples?: Record<string, { value: Record<string, unknown> }> }>;
}

const run = promisify(execFile);
const { version: VERSION } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
const plansFile = join(t.testdir(), 'plans.json');
await writeFile(
  plansFile,
  JSON.stringify({ free: { checks_per_month: 1_000, checks_per_second: 5, retention_days: 30 } }),
);
const dns = await startDnsServer({
  'canary.example-corp.com': { mx: [[10, 'mail.example-corp.com']] },
  'mailinator.com': { mx: [[10, 'mail.mailinator.com']] },
});
const stack = await startStack({
  env: {
    all: { PLANS_FILE: plansFile, DNS_SERVERS: dns.address },
    scoring: { DNS_CANARY: 'canary.example-corp.com' },
  },
});
t.teardown(async () => {
  await stack.stop();
  await dns.close();
});
/** With more patience than the client's default: a busy machine is not the subject here. */
const options = {
  apiKey: stack.apiKey,
  baseUrl: stack.baseUrls[0] ?? '',
  timeoutMs: 60_000,
  deadlineMs: 120_000,
};

const caught = async (call: Promise<unknown>): Promise<VerdictError> => {
  const error = await call.then(
    () => new Error('the call did not throw'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof VerdictError) return error;
  throw error;
};

t.test('the five lines of the README give a decision', async (t) => {
  const verdict = new Verdict(options);
  const { decision, risk_score, reasons } = await verdict.check('test@mailinator.com');
  t.equal(decision, 'block');
  t.ok(risk_score >= 80);
  t.ok(reasons.length > 0);
});

t.test('the running release hands out its client, and an empty project installs it', async (t) => {
  const project = t.testdir({ 'package.json': '{ "private": true, "type": "module" }' });
  const { origin } = new URL(options.baseUrl);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, `${origin}/sdk/verdict-sdk-${VERSION}.tgz`], { cwd: project });
  const program = `
    import { Verdict } from '@verdict/sdk';
    const verdict = new Verdict({ timeoutMs: 60_000, deadlineMs: 120_000 });
    console.log((await verdict.check('test@mailinator.com')).decision);`;
  await writeFile(join(project, 'check.js'), program);
  const env = { ...process.env, VERDICT_URL: options.baseUrl, VERDICT_API_KEY: options.apiKey };
  const { stdout } = await run(process.execPath, ['check.js'], { cwd: project, env });
  t.equal(stdout.trim(), 'block');
});

t.test('expansions, status and usage arrive as described', async (t) => {
  const verdict = new Verdict(options);
  const check = await verdict.check(
    { email: 'jane@gmial.com', ip: '203.0.113.7' },
    { expand: ['signals', 'breakdown'] },
  );
  t.equal(check.ip, '203.0.113.7');
  t.equal(
    check.breakdown?.factors.reduce((sum, { points }) => sum + points, 0),
    check.risk_score,
  );
  t.type(check.signals.role_account, 'boolean');
  t.equal((await verdict.status()).status, 'ok');
  t.ok((await verdict.usage()).checks_used >= 1);
});

t.test('the dashboard shows which client uses a key and how many IPs it dropped', async (t) => {
  const { email, password, ...account } = await stack.createAccount('free');
  const verdict = new Verdict({ ...options, apiKey: account.apiKey, warn: () => undefined });
  await verdict.check({ email: 'jane@gmail.com', ip: 'unknown' });
  await verdict.checkBatch([
    { email: 'jane@gmail.com', ip: 'unknown' },
    { email: 'john@gmail.com', ip: '203.0.113.7:443' },
    { email: 'joan@gmail.com', ip: '10.0.0.300' },
  ]);
  const at = options.baseUrl;
  const login = await http<{ access: string }>(`${at}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  const shown = await eventually(async () => {
    const path = `${at}dashboard/keys/${account.apiKeyId}/`;
    const { key } = (await http<{ key: { dropped_ips: number } }>(path, { headers })).body;
    return key.dropped_ips >= 3 && key;
  });
  t.match(shown, { client: `verdict-node/${VERSION}`, dropped_ips: 3, dropped_ips_at: /^\d{4}-/ });
});

t.test('lists by network decide about an address that a proxy wrote with its port', async (t) => {
  const { email, password, apiKey } = await stack.createAccount('free');
  const at = options.baseUrl;
  const login = await http<{ access: string }>(`${at}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  for (const value of ['203.0.113.0/24', '2001:db8::/32'])
    t.equal((await http(`${at}lists/block/`, { headers, json: { value } })).status, 201, value);
  const verdict = new Verdict({ ...options, apiKey, retries: 20, warn: () => undefined });
  for (const ip of ['203.0.113.7', '203.0.113.7:51234', '2001:db8::7', '[2001:db8::7]', '[2001:db8::7]:443'])
    t.equal((await verdict.check({ email: 'jane@gmail.com', ip })).decision, 'block', ip);
  const dropped = await verdict.check({ email: 'jane@gmail.com', ip: 'x' });
  t.match(dropped, { decision: 'allow', ipDropped: true }, 'and what is no address says that no list saw it');
});

t.test('one call counts once, however often it is sent', async (t) => {
  let tries = 0;
  const verdict = new Verdict({
    ...options,
    // The service answers and the answer is lost on its way, twice.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (++tries < 3) throw new TypeError('connection lost');
      return response;
    },
  });
  const email = `once-${Date.now()}@example.org`;
  const { id } = await verdict.check(email);
  t.equal(tries, 3);
  const rows = await eventually(async () => {
    const found = await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE id = $1', [id]);
    if (found.length === 0) throw new Error('not stored yet');
    return stack.sql<{ id: string }>(
      'SELECT c.id FROM check_logs c JOIN check_subjects s ON s.id = c.id WHERE s.email = $1',
      [email],
    );
  });
  t.equal(rows.length, 1);
});

t.test('a burst above the rate is paced by Retry-After and all of it is answered', async (t) => {
  const verdict = new Verdict({ ...options, retries: 20 });
  const outcomes = await Promise.all(
    Array.from({ length: 15 }, (_, index) => verdict.check(`burst-${index}@example.org`)),
  );
  t.equal(new Set(outcomes.map(({ id }) => id)).size, 15);
});

t.test('a batch above the rate arrives whole and in order, with what is wrong in its place', async (t) => {
  const verdict = new Verdict(options);
  const items = Array.from({ length: 12 }, (_, i) => ({
    email: i === 7 ? 'nonsense' : `batch-${i}@example.org`,
    ref: String(i),
  }));
  const results = await verdict.checkBatch(items, { batchSize: 5, deadlineMs: 120_000 });
  t.strictSame(
    results.map(({ ref, check }) => [ref, check?.email]),
    items.map(({ ref, email }) => [ref, email === 'nonsense' ? undefined : email]),
  );
  t.match(results[7], { code: 'invalid_request', errors: [{ field: 'email' }] });
});

t.test('what the service refuses is told by code, with the id of the request', async (t) => {
  const malformed = await caught(new Verdict(options).check('no address'));
  t.match(malformed, { code: 'invalid_request', status: 400, requestId: /^req_/ });
  t.equal(malformed.errors[0]?.field, 'email');
  t.match(await caught(new Verdict({ ...options, apiKey: 'vrd_live_wrong' }).check('a@example.org')), {
    code: 'invalid_api_key',
    status: 401,
  });
});

/** Values that differ between runs: only their type must be right. */
const VOLATILE = /^(id|created_at|version|count|checks_\w+|period|by_decision|by_day|resets_at)$/;
const lasting = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(/\d{4}-\d\d-\d\d/g, 'a day');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(lasting);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, VOLATILE.test(name) ? typeof each : lasting(each)]),
  );
};

t.test('the examples of the document are what the service answers', async (t) => {
  const { email, password } = stack;
  const { body: login } = await stack.api<{ access: string }>('auth/jwt/create/', {
    json: { email, password },
  });
  const { body: made } = await stack.api<{ api_key: string }>('dashboard/keys/', {
    headers: { authorization: `Bearer ${login.access}` },
    json: { name: 'examples', mode: 'test' },
  });
  const keyFor = (name: string, request: string) => {
    if (name === 'unknown_key') return 'vrd_live_mistyped';
    return request.includes('@test.verdict.example') ? made.api_key : options.apiKey;
  };
  const { body } = await stack.api<OpenApi>('openapi.json');
  let replayed = 0;
  for (const path of ['check/', 'check/batch/', 'status/', 'usage/']) {
    for (const { requestBody, responses } of Object.values(body.paths[`/api/v1/${path}`] ?? {})) {
      const requests = requestBody?.content['application/json']?.examples ?? {};
      for (const [status, reply] of Object.entries(responses)) {
        for (const [name, { value }] of Object.entries(reply.content?.['application/json']?.examples ?? {})) {
          const json = requests[name]?.value;
          const headers = { 'x-api-key': keyFor(name, JSON.stringify(json ?? '')) };
          const answer = await paced(() => stack.api(path, { headers, ...(json && { json }) }));
          t.equal(answer.status, Number(status), `${path} ${name}`);
          t.strictSame(lasting(answer.body), lasting(value), `${path} ${name}`);
          replayed++;
        }
      }
    }
  }
  t.ok(replayed >= 9, `${replayed} examples`);
});

/** The plan of this file allows five checks a second. */
async function paced<T extends { readonly body: unknown }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if ((answer.body as { code?: string }).code !== 'rate_limited') return answer;
  }
}

t.test('a client generated from the document compiles, and gives a decision', async (t) => {
  const { body } = await stack.api<object>('openapi.json');
  // Inside the tree, so that it resolves what it imports.
  const directory = join(ROOT, 'test/dist/generated-client');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'api.ts'), astToString(await openapiTS(body as never)));
  await writeFile(join(directory, 'client.ts'), GENERATED_CLIENT);
  const tsc = join(ROOT, 'scripts/node_modules/@typescript/native/bin/tsc');
  const flags =
    '--module nodenext --target es2023 --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck --types node --ignoreConfig';
  await run(process.execPath, [tsc, ...flags.split(' '), 'client.ts'], { cwd: directory });
  const origin = new URL(options.baseUrl).origin;
  const { stdout } = await run(process.execPath, [join(directory, 'client.js'), origin, options.apiKey]);
  t.equal(stdout.trim(), 'block');
});

t.test('the Python of docs/integrate.md runs as it is printed, with the client of the release', async (t) => {
  if (!hasPython()) {
    t.comment('SKIPPED: python3 (3.9 or later) is not on this machine');
    return;
  }
  const page = await readFile(join(ROOT, 'docs/integrate.md'), 'utf8');
  const snippet = /```python\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const folder = t.testdir({
    'check.py': snippet
      .replace('vrd_live_…', options.apiKey)
      .replace('http://localhost:8080/api/v1/', options.baseUrl),
  });
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const index = `${new URL(options.baseUrl).origin}/sdk/simple/`;
  const flags = ['--quiet', '--index-url', index, '--trusted-host', '127.0.0.1'];
  await run(join(folder, 'venv/bin/pip'), ['install', ...flags, `verdict-client==${VERSION}`]);
  // It falls back after a moment, which a starved machine may need.
  const printed = await eventually(async () => {
    const { stdout } = await run(join(folder, 'venv/bin/python'), [join(folder, 'check.py')]);
    return /^block \d+/.test(stdout) && stdout;
  });
  t.match(printed, /^block \d+ \['Disposable/);
});

t.test(
  'a validator that dies in the middle of traffic ends in the fallback, never in an exception',
  async (t) => {
    const verdict = new Verdict({ ...options, fallback: 'review' });
    t.equal((await verdict.check('before@example.org')).fallback, undefined);
    await Promise.all(stack.scorings.map((scoring) => scoring.stop()));
    const withoutScoring = await verdict.check('during@example.org');
    t.equal(withoutScoring.decision, 'review');
    t.equal(withoutScoring.fallback?.status, 503);
    await Promise.all(stack.gateways.map((gateway) => gateway.stop()));
    const withoutGateway = await verdict.check('after@example.org');
    t.equal(withoutGateway.decision, 'review');
    t.equal(withoutGateway.fallback?.code, 'network_error');
  },
);
