import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { Verdict, VerdictError } from '@verdict/sdk';
import openapiTS, { astToString } from 'openapi-typescript';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';
import { webhookExample } from './webhook-example.js';

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
    Record<string, { requestBody: Content; responses: Record<string, Content> }>
  >;
}
interface Content {
  readonly content: Record<string, { examples?: Record<string, { value: Record<string, unknown> }> }>;
}

const run = promisify(execFile);
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
  dnsServers: dns.address,
  env: { all: { PLANS_FILE: plansFile }, scoring: { DNS_CANARY: 'canary.example-corp.com' } },
});
t.teardown(async () => {
  await stack.stop();
  await dns.close();
});
const options = { apiKey: stack.apiKey, baseUrl: stack.baseUrls[0] ?? '' };

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
  const verdict = new Verdict({ ...options, retries: 10, deadlineMs: 60_000, timeoutMs: 20_000 });
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
  const results = await verdict.checkBatch(items, { batchSize: 5 });
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

t.test('the examples of the document are what the service answers', async (t) => {
  const { body } = await stack.api<OpenApi>('openapi.json');
  const operation = body.paths['/api/v1/check/']?.post;
  const requests = operation?.requestBody.content['application/json']?.examples ?? {};
  const answers = operation?.responses[200]?.content['application/json']?.examples ?? {};
  t.ok(Object.keys(requests).length > 0);
  for (const [name, { value }] of Object.entries(requests)) {
    const { id, created_at, ...rest } = (await stack.api('check/', { json: value })).body;
    t.match({ id, created_at }, { id: /^log_/, created_at: /\+00:00$/ });
    t.match(answers[name]?.value, rest, name);
  }
});

t.test('a client generated from the document compiles, and gives a decision', async (t) => {
  const { body } = await stack.api<object>('openapi.json');
  // Inside the tree, so that it resolves what it imports.
  const directory = join(ROOT, 'test/dist/sdk/generated');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'api.ts'), astToString(await openapiTS(body as never)));
  await writeFile(join(directory, 'client.ts'), GENERATED_CLIENT);
  const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const flags = '--module nodenext --target es2023 --strict --skipLibCheck --types node --ignoreConfig';
  await run(process.execPath, [tsc, ...flags.split(' '), 'client.ts'], { cwd: directory });
  const origin = new URL(options.baseUrl).origin;
  const { stdout } = await run(process.execPath, [join(directory, 'client.js'), origin, options.apiKey]);
  t.equal(stdout.trim(), 'block');
});

t.test('the Python of docs/integrate.md runs as it is printed', async (t) => {
  if (spawnSync('python3', ['-c', 'import requests']).status !== 0) {
    t.comment('SKIPPED: python3 with requests is not on this machine');
    return;
  }
  const page = await readFile(join(ROOT, 'docs/integrate.md'), 'utf8');
  const snippet = /```python\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const file = join(t.testdir(), 'check.py');
  await writeFile(file, snippet);
  const env = { ...process.env, VERDICT_API_KEY: options.apiKey, VERDICT_URL: options.baseUrl };
  const { stdout } = await run('python3', [file], { env });
  t.match(stdout, /^block \d+/);
});

t.test('the example that receives webhooks', (t) => webhookExample(t, stack));

t.test(
  'a validator that dies in the middle of traffic ends in the fallback, never in an exception',
  async (t) => {
    const verdict = new Verdict({ ...options, fallback: 'review', deadlineMs: 1_500, timeoutMs: 500 });
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
