import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { Verdict, VerdictError } from '@verdict/sdk';
import t from 'tap';
import { openMetering } from '../failure/support/open-metering.js';
import { type Answered, storedAsAnswered } from '../harness/beside-rows.js';
import { CHECK_RESULT, LIMIT_BODY } from './spec.js';

const stack = await openStack({ plan: 'three' });
t.teardown(() => stack.stop());

interface Body {
  readonly id: string;
  readonly code: string;
  readonly decision: string;
  readonly checks_used: number;
  readonly results: { readonly check: { readonly decision: string } }[];
  readonly logs: { readonly id: string; readonly mode: string; readonly key_id: string }[];
  readonly log: { readonly id: string; readonly mode: string };
  readonly api_key: string;
  readonly access: string;
  readonly key: { readonly id: string; readonly mode: string };
}

const at = (gateway: number, path: string) => `${stack.baseUrls[gateway]}${path}`;
const { email, password } = stack;
const { access } = (await http<Body>(at(0, 'auth/jwt/create/'), { json: { email, password } })).body;
const bearer = { authorization: `Bearer ${access}` };
const made = await http<Body>(at(0, 'dashboard/keys/'), {
  headers: bearer,
  json: { name: 'CI', mode: 'test' },
});
const { api_key: testKey, key } = made.body;
const headers = { 'x-api-key': testKey };
const check = (address: string, gateway = 0, more: Record<string, string> = {}) =>
  http<Body>(at(gateway, 'check/'), { headers: { ...headers, ...more }, json: { email: address } });
const magic = (name: string) => `${name}@test.verdict.example`;
const dashboard = (path: string) => http<Body>(at(1, `dashboard/${path}`), { headers: bearer });
const used = async () => (await http<Body>(at(0, 'usage/'), { headers })).body.checks_used;
const answered: (Answered & { readonly id: string })[] = [];

t.test('a test key says so, is one of the five, and keeps its mode when it is rolled', async (t) => {
  t.equal(made.status, 201);
  t.match(testKey, /^vrd_test_[0-9A-Za-z]{38}$/);
  t.equal(key.mode, 'test');
  for (let i = 0; i < 3; i++) {
    const more = await http(at(0, 'dashboard/keys/'), {
      headers: bearer,
      json: { name: `t${i}`, mode: 'test' },
    });
    t.equal(more.status, 201);
  }
  const sixth = await http<Body>(at(0, 'dashboard/keys/'), { headers: bearer, json: { name: 'sixth' } });
  t.equal(sixth.status, 400);
  const rolled = await http<Body>(at(0, `dashboard/keys/${key.id}/roll/`), {
    method: 'POST',
    headers: bearer,
    json: { overlap_seconds: 3600 },
  });
  t.match(rolled.body.api_key, /^vrd_test_/);
  const quota = { monthly_quota: 5 };
  const path = `dashboard/keys/${key.id}/`;
  t.equal((await http(at(0, path), { method: 'PATCH', headers: bearer, json: quota })).status, 400);
});

t.test('documented addresses have their answers, the same every time', async (t) => {
  const expected = {
    allow: ['allow', 0],
    challenge: ['challenge', 40],
    review: ['review', 65],
    block: ['block', 95],
    disposable: ['block', 90],
    slow: ['allow', 0],
  } as const;
  for (const [name, [decision, risk_score]] of Object.entries(expected)) {
    for (const gateway of [0, 1]) {
      const { status, body } = await check(magic(name), gateway);
      t.equal(status, 200);
      t.strictSame(Object.keys(body).sort(), Object.keys(CHECK_RESULT).sort());
      t.match(body, { decision, risk_score, email: magic(name) });
      answered.push(body);
    }
  }
  const disposable = await check(magic('Disposable'));
  t.match(disposable.body, { signals: { disposable_email: true } });
  answered.push(disposable.body);
});

t.test('an address of another kind is really scored', async (t) => {
  const { body } = await check('test@mailinator.com');
  t.match(body, { decision: 'block', signals: { disposable_email: true } });
  answered.push(body);
  const unknown = await check(magic('nobody'));
  t.equal(unknown.status, 200);
  answered.push(unknown.body);
});

t.test('refusals can be rehearsed: 429 with its four fields, and 503', async (t) => {
  const quota = await check(magic('quota'));
  t.equal(quota.status, 429);
  for (const field of Object.keys(LIMIT_BODY)) t.ok(field in quota.body, field);
  t.match(quota.body, { code: 'quota_exceeded', checks_used: 3, checks_limit: 3 });
  t.ok(Number(quota.headers['retry-after']) > 0);
  const away = await check(magic('unavailable'));
  t.match(away, { status: 503, body: { code: 'unavailable' } });
  t.equal((await check(magic('allow'))).status, 200, 'and change nothing');
  const items = ['allow', 'block'].map((name) => ({ email: magic(name) }));
  const batch = (more: { email: string }[]) =>
    http<Body>(at(0, 'check/batch/'), { headers, json: { items: [...items, ...more] } });
  const whole = await batch([{ email: 'test@mailinator.com' }]);
  t.strictSame(
    whole.body.results.map((result) => result.check.decision),
    ['allow', 'block', 'block'],
  );
  t.equal((await batch([{ email: magic('quota') }])).status, 429);
  t.equal((await batch([{ email: magic('unavailable') }])).status, 503);
});

t.test('the client is told as it would be by the real thing', async (t) => {
  const options = {
    apiKey: testKey,
    baseUrl: stack.baseUrls[0] ?? '',
    retries: 0,
    fallback: 'review' as const,
  };
  const patient = new Verdict({ ...options, timeoutMs: 60_000, deadlineMs: 60_000 });
  t.match(await patient.check(magic('block')), { decision: 'block' });
  t.match(await patient.check(magic('unavailable')), { decision: 'review', fallback: VerdictError });
  t.match((await patient.check(magic('quota'))).fallback, { code: 'quota_exceeded', checksLimit: 3 });
  t.match(await patient.check(magic('slow')), { decision: 'allow' });
  const usual = new Verdict(options);
  t.match((await usual.check(magic('slow'))).fallback, { code: 'timeout' }, 'slower than one try');
});

t.test('a live key has no magic, and a token may name a test key', async (t) => {
  const live = await stack.api<Body>('check/', { json: { email: magic('unavailable') } });
  t.equal(live.status, 200);
  const named = await http<Body>(at(1, 'check/'), {
    headers: bearer,
    json: { email: magic('challenge'), api_key_id: key.id },
  });
  t.match(named, { status: 200, body: { decision: 'challenge' } });
});

t.test('an Idempotency-Key of a test never answers for a live check', async (t) => {
  const once = { 'idempotency-key': 'the-same' };
  const first = await check(magic('block'), 0, once);
  const again = await check(magic('block'), 1, once);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal(again.body.id, first.body.id);
  const live = await stack.api<Body>('check/', { json: { email: magic('block') }, headers: once });
  t.notOk(live.headers['idempotent-replayed']);
});

t.test('nothing of it is counted or billed, and the month of the account does not end it', async (t) => {
  t.equal(await used(), 2, 'the two live checks');
  const burst = await Promise.all(Array.from({ length: 40 }, (_, i) => check(magic('allow'), i % 2)));
  t.ok(burst.every(({ status }) => status === 200 || status === 429));
  t.equal((await stack.api('check/', { json: { email: 'a@gmail.com' } })).status, 200);
  t.equal((await stack.api('check/', { json: { email: 'a@gmail.com' } })).status, 429, 'used up');
  await eventually(async () => (await check(magic('allow'))).status === 200);
  t.equal((await http(at(0, 'status/'), { headers })).status, 200);
  t.equal(await used(), 3);
  await eventually(async () => {
    const [row] = await stack.sql<{ n: string }>(
      'SELECT count(*)::text AS n FROM check_logs WHERE account_id = $1',
      [stack.accountId],
    );
    return row?.n === '3';
  });
  t.strictSame(await storedAsAnswered(stack.sql, answered), []);
  const [billed] = await stack.sql<{ n: string }>(
    'SELECT sum(checks)::text AS n FROM usage_hourly WHERE account_id = $1',
    [stack.accountId],
  );
  t.equal(billed?.n, '3');
  const metering = openMetering(stack.redis.url, stack.database.url);
  t.teardown(() => metering.close());
  // Others who share the stack may be in the middle of a check.
  const differences = await reconcile(metering, monthOf(new Date()));
  const own = differences.filter(({ accountId }) => accountId === stack.accountId);
  t.strictSame(own, [], 'counter, rollups and logs agree');
});

t.test('a rate is its only limit', async (t) => {
  // Fifty a second; a machine that is slower than that is asked again.
  const refused = await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => check(magic('allow'), i % 2)));
    const tooFast = answers.filter(({ status }) => status === 429);
    return tooFast.length > 0 && tooFast;
  });
  for (const { body } of refused) {
    t.equal(body.code, 'rate_limited');
    for (const field of Object.keys(LIMIT_BODY)) t.ok(field in body, field);
  }
});

t.test('logs keep tests apart, with a flag and a filter', async (t) => {
  const live = (await dashboard('logs/')).body.logs;
  t.equal(live.length, 3);
  t.ok(live.every(({ mode }) => mode === 'live'));
  const tests = (await dashboard('logs/?mode=test&limit=500')).body.logs;
  t.ok(tests.length >= answered.length);
  t.ok(tests.every(({ mode }) => mode === 'test'));
  const found = (await dashboard('logs/?mode=test&email=disposable@test.verdict.example')).body.logs;
  t.equal(found.length, 3);
  const one = await dashboard(`logs/${answered[0]?.id}/`);
  t.match(one.body.log, { id: answered[0]?.id, mode: 'test' });
  t.equal((await dashboard('logs/?mode=both')).status, 400);
});
