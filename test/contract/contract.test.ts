import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpAnswer, type HttpRequest, http } from '@verdict/local-stack/http.js';
import t, { type Test } from 'tap';
import { type Answered, storedAsAnswered } from '../harness/beside-rows.js';
import { openContractTarget } from './contract-target.js';
import {
  BANDS,
  CHECK_RESULT,
  CREATED_AT,
  DATASETS,
  LIMIT_BODY,
  LOG_ID_PREFIX,
  mismatch,
  SIGNALS,
  STATUS_RESULT,
  UPGRADE_URL,
} from './spec.js';

const stack = await openContractTarget();
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

type Body = Record<string, unknown>;
const check = (json: unknown, headers: Record<string, string> = {}) =>
  stack.api<Body>('check/', { json, headers });
const used = async () => (await stack.api<{ checks_used: number }>('usage/')).body.checks_used;

function matchesTable(t: Test, value: unknown, table: Record<string, string>, name: string): void {
  const record = value as Body;
  t.strictSame(
    Object.keys(record).sort(),
    Object.keys(table).sort(),
    `${name} has exactly the fields of the table`,
  );
  for (const [field, type] of Object.entries(table)) {
    t.equal(
      mismatch(record[field], type as Parameters<typeof mismatch>[1]),
      null,
      `${name}.${field} is ${type}`,
    );
  }
}

t.test('POST /check/ answers exactly the fields of the contract', async (t) => {
  const answer = await check({ email: 'jane@with-mx.example-corp.com', ip: '203.0.113.7' });
  t.equal(answer.status, 200);
  matchesTable(t, answer.body, CHECK_RESULT, 'result');
  matchesTable(t, answer.body.signals, SIGNALS, 'signals');
  t.ok(String(answer.body.id).startsWith(LOG_ID_PREFIX));
  t.match(answer.body.created_at, CREATED_AT);
  t.equal(answer.body.email, 'jane@with-mx.example-corp.com');
  t.equal(answer.body.ip, '203.0.113.7');
});

t.test('ip is null when none was sent, and the echo is what was sent, trimmed', async (t) => {
  t.equal((await check({ email: 'jane@gmail.com' })).body.ip, null);
  const spaced = await check({ email: '  Jane@GMAIL.com ', ip: ' 2001:DB8::1 ' });
  t.equal(spaced.body.email, 'Jane@GMAIL.com');
  t.equal(spaced.body.ip, '2001:DB8::1');
});

t.test('the check is in Postgres under the id that the client got, with its microseconds', async (t) => {
  const { body } = await stack.api<Answered>('check/', {
    json: { email: 'row@gmail.com', ip: '203.0.113.9' },
  });
  t.match(body, { email: 'row@gmail.com', ip: '203.0.113.9', created_at: CREATED_AT });
  t.strictSame(await storedAsAnswered(stack.sql, [body]), []);
});

t.test('every score lies in the band of its decision', async (t) => {
  const addresses = [
    'jane@with-mx.example-corp.com',
    'info@with-mx.example-corp.com',
    'no-reply@with-mx.example-corp.com',
    'test@mailinator.com',
    'a@sub.mailinator.com',
    'li.na@gmial.com',
    'root@[192.0.2.1]',
    'nobody@missing.example-corp.com',
    'jane@gmail.com',
    '"odd name"@with-mx.example-corp.com',
  ];
  for (const email of addresses) {
    const { body } = await check({ email });
    const score = Number(body.risk_score);
    const band = BANDS.find(({ from, to }) => score >= from && score <= to);
    t.equal(body.decision, band?.decision, `${email} scored ${score}`);
  }
});

t.test('a disposable domain is blocked, a free provider is not', async (t) => {
  t.match((await check({ email: 'test@mailinator.com' })).body, {
    decision: 'block',
    signals: { disposable_email: true, free_provider: false },
    reasons: [/disposable/i],
  });
  t.match((await check({ email: 'jane@gmail.com' })).body, {
    decision: 'allow',
    signals: { disposable_email: false, mx_valid: true, free_provider: true },
  });
});

t.test('expansions come only when asked for, and the breakdown adds up', async (t) => {
  const { body } = await stack.api<Body>('check/?expand=signals,breakdown', {
    json: { email: 'info@mailinator.com' },
  });
  const { factors, datasets } = body.breakdown as { factors: { points: number }[]; datasets: Body };
  t.equal(
    factors.reduce((sum, { points }) => sum + points, 0),
    body.risk_score,
  );
  t.strictSame(Object.keys(datasets).sort(), Object.keys(DATASETS).sort());
  t.equal((body.signals as Body).role_account, true);
  const alias = await stack.api<Body>('check/?expand=signals', {
    json: { email: 'Jane.Doe+x@googlemail.com' },
  });
  t.match(alias.body, {
    email: 'Jane.Doe+x@googlemail.com',
    signals: { alias: true, mailbox: 'janedoe@gmail.com' },
  });
  t.notOk('mailbox' in ((await check({ email: 'jane+x@gmail.com' })).body.signals as Body));
  const unknown = await stack.api<Body>('check/?expand=everything', { json: { email: 'a@gmail.com' } });
  t.equal(unknown.status, 400);
  t.match(unknown.body, { errors: [{ field: 'expand' }] });
});

t.test('GET /status/ has exactly the shape of the contract and never counts', async (t) => {
  const before = await used();
  const answer = await stack.api<Body>('status/');
  t.equal(answer.status, 200);
  matchesTable(t, answer.body, STATUS_RESULT, 'status');
  t.equal(answer.body.status, 'ok');
  const datasets = answer.body.datasets as Record<string, Body>;
  t.strictSame(Object.keys(datasets).sort(), Object.keys(DATASETS).sort());
  for (const [name, table] of Object.entries(DATASETS)) matchesTable(t, datasets[name], table, name);
  t.equal(await used(), before);
});

t.test('GET /usage/ counts every check and reconciles with its own breakdown', async (t) => {
  const before = await used();
  await check({ email: 'usage@gmail.com' });
  await check({ email: 'usage@mailinator.com' });
  const answer = await eventually(async () => {
    const { body } = await stack.api<{
      checks_used: number;
      by_decision: Record<string, number>;
      by_day: { checks: number }[];
    }>('usage/');
    const decided = Object.values(body.by_decision).reduce((sum, count) => sum + count, 0);
    return decided === body.checks_used && body;
  });
  t.equal(answer.checks_used, before + 2);
  t.equal(
    answer.by_day.reduce((sum, { checks }) => sum + checks, 0),
    answer.checks_used,
  );
  t.match(answer, {
    success: true,
    plan: 'free',
    checks_limit: 1_000,
    checks_remaining: 1_000 - answer.checks_used,
  });
  t.match(answer, {
    period: { start: /T00:00:00.000Z$/, end: /T00:00:00.000Z$/ },
    resets_at: /T00:00:00.000Z$/,
  });
});

t.test('limits travel in headers', async (t) => {
  const { headers } = await check({ email: 'headers@gmail.com' });
  const remaining = Number(headers['x-quota-remaining']);
  t.equal(Number(headers['x-quota-limit']), 1_000);
  t.equal(remaining, 1_000 - (await used()));
  t.ok(Number(headers['x-quota-reset']) > 0);
  t.equal(Number(headers['ratelimit-limit']), 1_000);
  t.ok(Number(headers['ratelimit-remaining']) <= 1_000);
});

async function login(): Promise<string> {
  const { body } = await http<{ access: string }>(`${base}auth/jwt/create/`, {
    json: { email: stack.email, password: stack.password },
  });
  return body.access;
}

t.test('each way to show or not to show a credential has its status', async (t) => {
  const token = await login();
  const other = await stack.createAccount();
  const good = { email: 'auth@gmail.com' };
  const bearer = { authorization: `Bearer ${token}` };
  const key = { 'x-api-key': stack.apiKey };
  const mistyped = `${stack.apiKey.slice(0, -1)}${stack.apiKey.endsWith('0') ? '1' : '0'}`;
  const cases: [string, string, HttpRequest, number][] = [
    ['a key', 'check/', { json: good, headers: key }, 200],
    ['a key and its own id', 'check/', { json: { ...good, api_key_id: stack.apiKeyId }, headers: key }, 200],
    ['a key and another id', 'check/', { json: { ...good, api_key_id: other.apiKeyId }, headers: key }, 403],
    [
      'a token and the id of a key',
      'check/',
      { json: { ...good, api_key_id: stack.apiKeyId }, headers: bearer },
      200,
    ],
    ['a token without an id', 'check/', { json: good, headers: bearer }, 400],
    [
      "a token and somebody else's id",
      'check/',
      { json: { ...good, api_key_id: other.apiKeyId }, headers: bearer },
      403,
    ],
    [
      'a token and nonsense as id',
      'check/',
      { json: { ...good, api_key_id: 'nonsense' }, headers: bearer },
      403,
    ],
    [
      'both, matching',
      'check/',
      { json: { ...good, api_key_id: stack.apiKeyId }, headers: { ...bearer, ...key } },
      200,
    ],
    ['both, without an id', 'check/', { json: good, headers: { ...bearer, ...key } }, 400],
    [
      'both, not matching',
      'check/',
      { json: { ...good, api_key_id: other.apiKeyId }, headers: { ...bearer, ...key } },
      403,
    ],
    [
      "both, somebody else's key",
      'check/',
      { json: { ...good, api_key_id: other.apiKeyId }, headers: { ...bearer, 'x-api-key': other.apiKey } },
      403,
    ],
    ['no credential', 'check/', { json: good }, 401],
    ['an empty key', 'check/', { json: good, headers: { 'x-api-key': '' } }, 401],
    ['a mistyped key', 'check/', { json: good, headers: { 'x-api-key': mistyped } }, 401],
    [
      'a good key and a bad token',
      'check/',
      { json: good, headers: { ...key, authorization: 'Bearer nonsense' } },
      401,
    ],
    ['a bad token', 'check/', { json: good, headers: { authorization: 'Bearer a.b.c' } }, 401],
    ['basic authentication', 'check/', { json: good, headers: { authorization: 'Basic YTpi' } }, 401],
    [
      'no credential and a bad body',
      'check/',
      { body: '{', headers: { 'content-type': 'application/json' } },
      401,
    ],
    ['status with a key', 'status/', { headers: key }, 200],
    ['status with a token', 'status/', { headers: bearer }, 401],
    ['status with nothing', 'status/', {}, 401],
    ['usage with a key', 'usage/', { headers: key }, 200],
    ['usage with a token', 'usage/', { headers: bearer }, 401],
  ];
  for (const [name, path, request, status] of cases) {
    const answer = await http<Body>(`${base}${path}`, request);
    t.equal(answer.status, status, name);
    if (status === 200) t.equal(answer.body.success, true, `${name}: success`);
    else t.equal(typeof answer.body.error, 'string', `${name}: error is a string`);
    if (status === 401)
      t.match(answer.body.error, /invalid or missing/, `${name}: the sentence of the contract`);
  }
});

t.test('a token is good for checks until its session ends, and not a moment longer', async (t) => {
  const { body } = await http<{ access: string; refresh: string }>(`${base}auth/jwt/create/`, {
    json: { email: stack.email, password: stack.password },
  });
  const headers = { authorization: `Bearer ${body.access}` };
  const json = { email: 'session@gmail.com', api_key_id: stack.apiKeyId };
  t.equal((await http(`${base}check/`, { json, headers })).status, 200);
  await http(`${base}auth/jwt/logout/`, { json: { refresh: body.refresh }, headers });
  t.equal((await http(`${base}check/`, { json, headers })).status, 401);
});

t.test('bad input gets its 4xx with error and counts nothing', async (t) => {
  const before = await used();
  const json = { 'content-type': 'application/json' };
  const cases: [string, HttpRequest, number, string?][] = [
    ['no email', { json: {} }, 400, 'email'],
    ['email of the wrong type', { json: { email: 1 } }, 400, 'email'],
    ['email null', { json: { email: null } }, 400, 'email'],
    ['email true', { json: { email: true } }, 400, 'email'],
    ['email as an array', { json: { email: ['a@b.co'] } }, 400, 'email'],
    ['email empty', { json: { email: '' } }, 400, 'email'],
    ['email without a domain', { json: { email: 'jane' } }, 400, 'email'],
    ['email with two at signs', { json: { email: 'a@b@c.com' } }, 400, 'email'],
    ['email too long', { json: { email: `${'a'.repeat(250)}@gmail.com` } }, 400, 'email'],
    ['email with a line break', { json: { email: 'a\n@gmail.com' } }, 400, 'email'],
    ['ip that is none', { json: { email: 'a@gmail.com', ip: '300.1.1.1' } }, 400, 'ip'],
    ['ip of the wrong type', { json: { email: 'a@gmail.com', ip: 7 } }, 400, 'ip'],
    ['an unknown field', { json: { email: 'a@gmail.com', plan: 'scale' } }, 400, 'plan'],
    ['an array as body', { json: [] }, 400],
    ['a string as body', { json: 'a@gmail.com' }, 400],
    ['broken JSON', { body: '{"email":', headers: json }, 400],
    ['an empty body', { method: 'POST', headers: json }, 400],
    ['a poisoned prototype', { body: '{"email":"a@gmail.com","__proto__":{"x":1}}', headers: json }, 400],
    ['another content type', { body: 'email=a', headers: { 'content-type': 'text/plain' } }, 415],
    ['an oversize body', { json: { email: 'a'.repeat(20_000) } }, 413],
  ];
  for (const [name, { headers, ...request }, status, field] of cases) {
    const answer = await stack.api<Body>('check/', { ...request, ...(headers ? { headers } : {}) });
    t.equal(answer.status, status, name);
    t.equal(typeof answer.body.error, 'string', `${name}: error is a string`);
    t.ok(answer.headers['x-request-id'], `${name}: has a request id`);
    if (field) t.match(answer.body, { errors: [{ field }] }, `${name}: names the field`);
  }
  t.equal(await used(), before, 'nothing was counted');
});

t.test('unknown routes and methods are JSON with error on every listener path', async (t) => {
  const cases: [string, HttpRequest, number][] = [
    ['nothing/', {}, 404],
    ['check/', { method: 'GET' }, 405],
    ['check/', { method: 'DELETE' }, 405],
    ['status/', { method: 'POST', json: {} }, 405],
    ['usage/', { method: 'PUT', json: {} }, 405],
    ['dashboard/nothing/', {}, 404],
    ['%', {}, 400],
  ];
  for (const [path, request, status] of cases) {
    const answer = await stack.api<Body>(path, request);
    t.equal(answer.status, status, `${request.method ?? 'GET'} ${path}`);
    t.equal(typeof answer.body.error, 'string', `${path}: error is a string`);
  }
  t.equal((await http<Body>(new URL('/', base).href)).status, 200, 'the web application');
});

t.test('paths work with and without the trailing slash', async (t) => {
  t.equal((await stack.api('check', { json: { email: 'slash@gmail.com' } })).status, 200);
  t.equal((await stack.api('status')).status, 200);
  t.equal((await stack.api('usage')).status, 200);
});

t.test('a well-formed request id is kept, another is replaced', async (t) => {
  const kept = await stack.api('status/', { headers: { 'x-request-id': 'order-42:retry.1' } });
  t.equal(kept.headers['x-request-id'], 'order-42:retry.1');
  for (const bad of ['a b', 'x'.repeat(129), '<script>']) {
    const answer = await stack.api('status/', { headers: { 'x-request-id': bad } });
    t.match(answer.headers['x-request-id'], /^req_[0-9A-Z]{26}$/, bad);
  }
});

t.test(
  'when the month is used up: 429 with exactly the body of the contract, and nothing more counts',
  async (t) => {
    const tiny = await account('tiny');
    t.equal((await tiny.check()).status, 200);
    t.equal((await tiny.check()).status, 200);
    for (const answer of [await tiny.check(), await tiny.get('status/')]) {
      t.equal(answer.status, 429);
      const { code, ...body } = answer.body;
      t.equal(code, 'quota_exceeded');
      matchesTable(t, body, LIMIT_BODY, '429');
      t.match(body, {
        checks_used: 2,
        checks_limit: 2,
        upgrade_url: UPGRADE_URL,
        error: /monthly usage limit exceeded/i,
      });
      t.ok(Number(answer.headers['retry-after']) > 0);
    }
    const usage = await tiny.get('usage/');
    t.equal(usage.status, 200, 'usage always answers');
    t.match(usage.body, { checks_used: 2, checks_remaining: 0 });
  },
);

t.test('too fast: 429 with the same four fields, told apart by checks_used < checks_limit', async (t) => {
  const slow = await account('slow');
  // A machine that takes a second for each of them gives the rate time to come back: it is asked again.
  const refused = await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => slow.check()));
    const tooFast = answers.filter(({ status }) => status === 429);
    return tooFast.length > 0 && tooFast;
  });
  for (const { body, headers } of refused) {
    const { code, ...rest } = body;
    t.equal(code, 'rate_limited');
    matchesTable(t, rest, LIMIT_BODY, '429');
    t.ok(Number(rest.checks_used) < Number(rest.checks_limit));
    t.ok(Number(headers['retry-after']) >= 1);
  }
});

t.test('an Idempotency-Key replays the first answer and counts once', async (t) => {
  const before = await used();
  const headers = { 'idempotency-key': 'order-4711' };
  const first = await check({ email: 'twice@gmail.com' }, headers);
  const second = await check({ email: 'twice@gmail.com' }, headers);
  t.equal(second.status, 200);
  t.equal(second.headers['idempotent-replayed'], 'true');
  t.strictSame(second.body, first.body);
  const other = await check({ email: 'another@gmail.com' }, headers);
  t.equal(other.status, 400);
  t.match(other.body, { code: 'idempotency_mismatch' });
  t.equal((await check({ email: 'a@gmail.com' }, { 'idempotency-key': 'with space' })).status, 400);
  t.equal(await used(), before + 1);
});

t.test('of many twins at once one is checked; the others wait or get its answer', async (t) => {
  const before = await used();
  const headers = { 'idempotency-key': 'twins' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => check({ email: 'twins@gmail.com' }, headers)),
  );
  const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
  t.equal(ids.size, 1);
  t.ok(answers.every(({ status }) => status === 200 || status === 409));
  t.equal(await used(), before + 1);
});

async function account(plan: 'tiny' | 'slow') {
  const { apiKey } = await stack.createAccount(plan);
  const headers = { 'x-api-key': apiKey };
  return {
    check: (): Promise<HttpAnswer<Body>> =>
      http(`${base}check/`, { json: { email: 'a@gmail.com' }, headers }),
    get: (path: string): Promise<HttpAnswer<Body>> => http(`${base}${path}`, { headers }),
  };
}

t.test('no key, token, password or address is in any log', async (t) => {
  const canary = 'canary-person@gmail.com';
  await check({ email: canary });
  await check({ email: canary, unknown_field: canary });
  await http(`${base}auth/jwt/create/`, {
    json: { email: canary, password: 'canary-password' },
  });
  const token = await login();
  await http(`${base}check/`, {
    json: { email: canary },
    headers: { authorization: `Bearer ${token}` },
  });
  for (const { name, text } of await stack.outputs()) {
    for (const secret of [stack.apiKey, token, canary, 'canary-password', stack.password]) {
      t.notOk(text.includes(secret), `${name} did not log ${secret.slice(0, 12)}…`);
    }
    for (const line of text.trim().split('\n')) t.doesNotThrow(() => JSON.parse(line), name);
  }
});
