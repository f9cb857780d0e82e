import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import {
  CHECK_BATCH_PATH,
  CHECK_PATH,
  HEALTH_PATH,
  STATUS_PATH,
  USAGE_PATH,
} from '@verdict/contracts/api-paths.js';
import { CHECK_BODY_BYTES_MAX } from '@verdict/contracts/check-api.js';
import { createApiKey } from '@verdict/domain/api-key.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { startGateway } from './support/start-gateway.js';

const gateway = await startGateway({ AUTH_FAILURES_PER_MINUTE: '20' });
t.teardown(() => gateway.close());
const EMAIL = 'jane@gmail.com';

interface Sent {
  readonly url?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Where it comes from: failures of one address are held against it. */
  readonly from?: string;
}

const post = async (apiKey: string | null, { url = CHECK_PATH, body, headers, from }: Sent = {}) => {
  const answer = await gateway.app.inject({
    method: 'POST',
    url,
    remoteAddress: from ?? '192.0.2.1',
    headers: { 'content-type': 'application/json', ...(apiKey && { 'x-api-key': apiKey }), ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body ?? { email: EMAIL }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};
const get = async (apiKey: string, url: string) => {
  const answer = await gateway.app.inject({ method: 'GET', url, headers: { 'x-api-key': apiKey } });
  return { status: answer.statusCode, body: answer.json() };
};

t.test('200: a check is answered, counted once, and says what is left', async (t) => {
  const key = await gateway.customer({ limit: 10 });
  const first = await post(key, { url: `${CHECK_PATH}?expand=signals,breakdown` });
  t.equal(first.status, 200);
  t.match(first.body, { success: true, id: /^log_/, email: EMAIL, decision: 'allow', risk_score: 5 });
  t.match(first.body, { signals: { role_account: false }, breakdown: { factors: [{ points: 5 }] } });
  t.equal((await get(key, USAGE_PATH)).body.checks_used, 1);
  t.match(await get(key, STATUS_PATH), { status: 200, body: { status: 'ok' } });
});

t.test('401: a loop of wrong keys waits, a good key from the same address does not', async (t) => {
  const [key, from] = [await gateway.customer(), '192.0.2.77'];
  const answered: number[] = [];
  const ask = async (apiKey: string) => answered.push((await post(apiKey, { from })).status);
  // A slow machine gives refusals time to be prompt again, so they are repeated.
  await eventually(async () => {
    for (let i = 0; i < 10; i++) await ask('wrong');
    await Promise.all([ask('wrong'), ask(key)]);
    return answered.slice(-3).join() === '401,200,401';
  });
  t.strictSame(new Set(answered), new Set([401, 200]));
});

t.test('200: the same Idempotency-Key answers the same and counts once; another body is a 400', async (t) => {
  const key = await gateway.customer();
  const headers = { 'idempotency-key': 'order-1' };
  const first = await post(key, { headers });
  const again = await post(key, { headers });
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.strictSame(again.body, first.body);
  t.equal((await get(key, USAGE_PATH)).body.checks_used, 1);
  t.match(await post(key, { headers, body: { email: 'other@gmail.com' } }), {
    status: 400,
    body: { code: 'idempotency_mismatch' },
  });
});

t.test('200: a batch answers in its order and counts each of its checks', async (t) => {
  const key = await gateway.customer();
  const items = [
    { email: EMAIL, ref: 'a' },
    { email: 'not an address', ref: 'b' },
    { email: EMAIL, ref: 'c' },
  ];
  const { status, body } = await post(key, { url: CHECK_BATCH_PATH, body: { items } });
  t.equal(status, 200);
  t.strictSame(
    body.results.map(({ ref }: { ref: string }) => ref),
    ['a', 'b', 'c'],
  );
  t.equal((await get(key, USAGE_PATH)).body.checks_used, 2, 'what is malformed counts nothing');
});

t.test('200: somebody who is logged in names the key that is charged, and it must be theirs', async (t) => {
  const { keyId, apiKey, authorization } = await gateway.person();
  const headers = { authorization };
  t.equal((await post(null, { headers, body: { email: EMAIL, api_key_id: keyId } })).status, 200);
  t.equal((await get(apiKey, USAGE_PATH)).body.checks_used, 1);
  t.equal((await post(null, { headers })).status, 400, 'which key is not said');
  t.equal((await post(null, { headers, body: { email: EMAIL, api_key_id: 'mine' } })).status, 403);
  const other = await gateway.account();
  t.equal((await post(null, { headers, body: { email: EMAIL, api_key_id: other.keyId } })).status, 403);
  t.equal(
    (await post(other.apiKey, { headers, body: { email: EMAIL, api_key_id: other.keyId } })).status,
    403,
  );
});

t.test('400: what is malformed names its field and counts nothing', async (t) => {
  const key = await gateway.customer();
  for (const [sent, field] of [
    [{ body: { email: 'jane' } }, 'email'],
    [{ body: { email: EMAIL, ip: '1.2.3' } }, 'ip'],
    [{ body: { email: EMAIL, more: 1 } }, 'more'],
    [{ body: {} }, 'email'],
    [{ body: { email: EMAIL }, url: `${CHECK_PATH}?expand=everything` }, 'expand'],
    [{ body: { email: EMAIL }, headers: { 'idempotency-key': 'a b' } }, 'Idempotency-Key'],
  ] as const) {
    const { status, body } = await post(key, sent);
    t.equal(status, 400, field);
    t.match(JSON.stringify(body), field);
  }
  t.equal((await post(key, { body: '{' })).status, 400, 'not JSON');
  t.equal((await get(key, USAGE_PATH)).body.checks_used, 0);
});

t.test('401: no key, a mistyped key and a key that never was sound alike', async (t) => {
  const never = createApiKey((bytes) => void crypto.getRandomValues(bytes));
  const answers = await Promise.all([
    post(null, { from: '192.0.2.2' }),
    post(`${never.slice(0, -1)}x`, { from: '192.0.2.2' }),
    post(never, { from: '192.0.2.2' }),
  ]);
  for (const { status, body } of answers) {
    t.equal(status, 401);
    t.strictSame(Object.keys(body).sort(), Object.keys(answers[0]?.body ?? {}).sort());
    t.equal(body.error, answers[0]?.body.error);
  }
  t.equal((await post(null, { headers: { authorization: 'Bearer x.y.z' } })).status, 401);
  t.equal(
    (await post(await gateway.customer({ lost: true }), { from: '192.0.2.2' })).status,
    401,
    'nobody knows its account',
  );
});

t.test('401: a token of somebody who has logged out', async (t) => {
  const { keyId, authorization, logOut } = await gateway.person();
  const sent = { headers: { authorization }, body: { email: EMAIL, api_key_id: keyId } };
  t.equal((await post(null, sent)).status, 200);
  await logOut();
  t.equal((await post(null, sent)).status, 401);
});

t.test('403: a key that is switched off, is used from elsewhere or for something else', async (t) => {
  const off = await gateway.customer({ active: false });
  t.equal((await post(off)).status, 403);
  t.equal((await get(off, STATUS_PATH)).status, 403, 'nor is it told anything');
  const elsewhere = await gateway.customer({ from: [['f'.repeat(32), 'f'.repeat(32)]] });
  t.equal((await post(elsewhere)).status, 403);
  const onlyUsage = await gateway.customer({ scopes: ['usage'] });
  t.equal((await post(onlyUsage)).status, 403);
  t.equal((await get(onlyUsage, USAGE_PATH)).status, 200);
});

t.test('403: a key may be told to answer only for itself', async (t) => {
  const key = await gateway.customer();
  t.equal(
    (await post(key, { body: { email: EMAIL, api_key_id: 'key_00000000000000000000000000' } })).status,
    403,
  );
});

t.test('404 and 405: an address and a method that are not there', async (t) => {
  const key = await gateway.customer();
  t.equal((await get(key, '/api/v1/nothing/')).status, 404);
  t.equal((await get(key, CHECK_PATH)).status, 405);
});

t.test('413 and 415: a body that is too large, and one that is not JSON', async (t) => {
  const key = await gateway.customer();
  t.equal((await post(key, { body: { email: 'x'.repeat(200_000) } })).status, 413);
  t.equal((await post(key, { body: EMAIL, headers: { 'content-type': 'text/plain' } })).status, 415);
});

t.test('429: the month, the month of the key and the rate, each with its own code', async (t) => {
  const month = await gateway.customer({ limit: 1 });
  t.equal((await post(month)).status, 200);
  t.match(await post(month), {
    status: 429,
    body: { code: 'quota_exceeded', checks_used: 1, checks_limit: 1 },
  });
  t.equal((await get(month, STATUS_PATH)).status, 429);
  t.equal((await get(month, USAGE_PATH)).status, 200, 'usage is always told');

  const own = await gateway.customer({ quota: 1 });
  t.equal((await post(own)).status, 200);
  t.equal((await post(own)).status, 429);
  t.equal((await get(own, STATUS_PATH)).status, 429);

  const slow = await gateway.customer({ rate: 1 });
  // A slow machine gives the rate time to recover, so it is asked again.
  const refused = await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(slow)));
    return answers.find(({ status }) => status === 429);
  });
  t.match(refused, { body: { code: 'rate_limited' }, headers: { 'retry-after': /^\d+$/ } });
});

t.test('429: an address that sends bad keys for ever, and nobody else', async (t) => {
  // Twice as many as a minute allows, and again should a minute have ended among them.
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(null, { from: '192.0.2.3' })));
    return answers.some(({ status }) => status === 429);
  });
  t.equal((await post(null, { from: '192.0.2.4' })).status, 401);
  t.equal(
    (await post(await gateway.customer(), { from: '192.0.2.3' })).status,
    200,
    'a good key is still good',
  );
});

t.test('503: scoring is away, and nothing is counted', async (t) => {
  const key = await gateway.customer();
  await gateway.scoring.kill();
  t.match(await post(key), { status: 503, headers: { 'retry-after': /^\d+$/ } });
  await gateway.scoring.restart();
  await eventually(async () => (await post(key)).status === 200);
  t.equal((await get(key, USAGE_PATH)).body.checks_used, 1);
});

t.test('a test key has answers that never change, whatever the month', async (t) => {
  const key = await gateway.customer({ mode: 'test', limit: 0 });
  const at = (name: string) => post(key, { body: { email: `${name}@test.verdict.example` } });
  t.match(await at('block'), { status: 200, body: { decision: 'block', risk_score: 95 } });
  t.equal((await at('quota')).status, 429);
  t.equal((await at('unavailable')).status, 503);
});

t.test('503: what only the control plane knows is not judged without it; what Redis knows is', async (t) => {
  const { keyId, apiKey, authorization } = await gateway.person();
  const known = await gateway.customer();
  const lost = await gateway.customer({ lost: true });
  t.equal((await post(apiKey)).status, 200);
  await gateway.controlPlane.kill();
  const never = createApiKey((bytes) => void crypto.getRandomValues(bytes));
  t.equal((await post(never, { from: '192.0.2.5' })).status, 503);
  t.equal((await post(lost)).status, 503);
  t.equal((await get(lost, STATUS_PATH)).status, 503);
  const named = { headers: { authorization }, body: { email: EMAIL, api_key_id: keyId } };
  t.equal((await post(null, named)).status, 503);
  t.equal((await post(known)).status, 200);
  await gateway.controlPlane.restart();
  await eventually(async () => (await post(null, named)).status === 200);
});

t.test('503: without Redis nobody is let through, and it comes back by itself', async (t) => {
  const key = await gateway.customer();
  t.equal((await get(key, STATUS_PATH)).status, 200);
  await gateway.redis.kill();
  t.equal((await get(key, STATUS_PATH)).status, 503);
  t.equal((await post(key)).status, 503);
  await gateway.redis.restart();
  await eventually(async () => (await post(key)).status === 200);
});

t.test('a large batch is compressed for clients that accept it, a single check never', async (t) => {
  const key = await gateway.customer({ limit: 1_000 });
  const items = Array.from({ length: 40 }, () => ({ email: EMAIL }));
  const send = (url: string, body: object, accepted: string) =>
    gateway.app.inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': key, 'accept-encoding': accepted },
      payload: body,
    });
  for (const [accepted, coding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ] as const) {
    const answer = await send(CHECK_BATCH_PATH, { items }, accepted);
    t.match(answer.headers, { 'content-encoding': coding, vary: /accept-encoding/ });
    t.equal(Number(answer.headers['content-length']), answer.rawPayload.length, 'and says its length');
    t.equal(JSON.parse(unpack(answer.rawPayload).toString()).results.length, items.length);
  }
  for (const answer of [
    await send(CHECK_PATH, { email: EMAIL }, 'gzip'),
    await send(CHECK_BATCH_PATH, { items: items.slice(0, 1) }, 'gzip'),
    await send(CHECK_BATCH_PATH, { items }, 'identity'),
    await send(CHECK_BATCH_PATH, { items: [] }, 'gzip'),
  ])
    t.equal(answer.headers['content-encoding'], undefined);
});

t.test('a gzipped body is read, and stopped where a plain one would be', async (t) => {
  const key = await gateway.customer();
  const send = (payload: Buffer, coding: string) =>
    gateway.app.inject({
      method: 'POST',
      url: CHECK_PATH,
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-encoding': coding },
      payload,
    });
  const packed = gzipSync(JSON.stringify({ email: EMAIL }));
  t.match((await send(packed, 'gzip')).json(), { success: true, email: EMAIL });
  t.match((await send(Buffer.from(JSON.stringify({ email: EMAIL })), 'identity')).json(), { email: EMAIL });
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  t.ok(bomb.length < CHECK_BODY_BYTES_MAX, 'a bomb that is small enough as it is sent');
  for (const [what, body, coding, status, words] of [
    ['a bomb', bomb, 'gzip', 413, /larger than 16384 bytes/],
    ['half of it', packed.subarray(0, 20), 'gzip', 400, /not valid gzip/],
    ['no gzip', Buffer.from('{}'), 'gzip', 400, /not valid gzip/],
    ['gzip of no JSON', gzipSync('{'), 'gzip', 400, /not valid JSON/],
    ['another coding', packed, 'zstd', 415, /or with Content-Encoding: gzip/],
  ] as const) {
    const answer = await send(body, coding);
    t.match([answer.statusCode, answer.json().error], [status, words], what);
  }
});

t.test('health answers without a key, and monitors may ask it and the status with HEAD', async (t) => {
  t.equal((await gateway.app.inject({ method: 'GET', url: HEALTH_PATH })).statusCode, 200);
  t.equal((await gateway.app.inject({ method: 'HEAD', url: HEALTH_PATH })).statusCode, 200);
  t.equal((await gateway.app.inject({ method: 'HEAD', url: STATUS_PATH })).statusCode, 401);
});
