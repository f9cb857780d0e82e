import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { Decision } from '../src/types.js';
import { Verdict, VerdictError, type VerdictOptions } from '../src/verdict.js';

type Handler = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

const RESULT = {
  success: true,
  id: 'log_1',
  email: 'a@b.example',
  ip: null,
  decision: 'allow',
  risk_score: 0,
  signals: { disposable_email: false, mx_valid: true, free_provider: false },
  reasons: [],
  created_at: '2026-11-15T00:00:00.000000+00:00',
};

/** A server that answers as told, and remembers what it was asked. */
async function serve(t: Test, handler: Handler) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume();
    seen.push(request);
    handler(request, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`, seen };
}

const json = (
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

const caught = async (call: Promise<unknown>): Promise<VerdictError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof VerdictError) return error;
    throw error;
  }
  throw new Error('the call did not throw');
};

/** One whose patience does not run out on a machine that is busy. */
const patient = <F extends Decision | undefined = undefined>(
  baseUrl: string,
  options: Partial<VerdictOptions<F>> = {},
): Verdict<F> => new Verdict<F>({ apiKey: 'k', baseUrl, timeoutMs: 60_000, deadlineMs: 120_000, ...options });

t.test('a check is one POST with the key, and its answer comes back as it is', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response) => json(response, 200, RESULT));
  const verdict = patient(baseUrl, { apiKey: 'vrd_live_x' });
  t.strictSame(await verdict.check('a@b.example', { expand: ['signals', 'breakdown'] }), RESULT);
  t.equal(seen.length, 1);
  t.match(seen[0], { method: 'POST', url: '/api/v1/check/?expand=signals,breakdown' });
  t.match(seen[0]?.headers, { 'x-api-key': 'vrd_live_x', 'content-type': 'application/json' });
});

t.test('all tries of one call share one Idempotency-Key, and another call has another', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response, attempt) =>
    attempt < 3
      ? json(response, 503, { error: 'away', code: 'unavailable' }, { 'retry-after': '0' })
      : json(response, 200, RESULT),
  );
  const verdict = patient(baseUrl);
  await verdict.check('a@b.example');
  await verdict.check('a@b.example');
  const keys = seen.map((request) => request.headers['idempotency-key']);
  t.equal(seen.length, 4);
  t.equal(new Set(keys.slice(0, 3)).size, 1);
  t.not(keys[3], keys[0]);
});

t.test('a key of the caller is used as it is', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response) => json(response, 200, RESULT));
  await patient(baseUrl).check('a@b.example', { idempotencyKey: 'signup-17' });
  t.equal(seen[0]?.headers['idempotency-key'], 'signup-17');
});

t.test('on a day with more checks than are remembered, calls go on without a key', async (t) => {
  let refusal: object | undefined;
  const { baseUrl, seen } = await serve(t, (request, response) => {
    if (request.headers['idempotency-key'])
      json(response, 429, { error: 'no more', code: 'idempotency_limit' }, { 'retry-after': '3600' });
    else if (refusal) json(response, 503, refusal);
    else json(response, 200, { ...RESULT, results: [{ ref: null, check: RESULT }] });
  });
  const verdict = patient(baseUrl, { retries: 0 });
  t.equal((await verdict.check('a@b.example')).decision, 'allow', 'that is no try which failed');
  t.equal((await verdict.check('a@b.example')).decision, 'allow');
  t.equal((await verdict.checkBatch([{ email: 'a@b.example' }]))[0]?.check?.decision, 'allow');
  t.strictSame(
    seen.map(({ headers }) => headers['idempotency-key'] !== undefined),
    [true, false, false, false],
    'it is asked once, not once a call',
  );
  t.match(
    await caught(verdict.check('a@b.example', { idempotencyKey: 'signup-17' })),
    { code: 'idempotency_limit', status: 429 },
    'a key of the caller is not dropped',
  );
  refusal = { error: 'away', code: 'unavailable' };
  const before = seen.length;
  t.equal((await caught(verdict.check('a@b.example', { retries: 5 }))).code, 'unavailable');
  t.equal(seen.length, before + 1, 'what may have counted is not sent again');
});

t.test('without idempotency no key is sent, and only what did not count is sent again', async (t) => {
  const answers = [429, 200, 503];
  const { baseUrl, seen } = await serve(t, (_request, response, attempt) => {
    const status = answers[attempt - 1] ?? 500;
    const refusal = { error: 'no', code: status === 429 ? 'rate_limited' : 'unavailable' };
    json(response, status, status === 200 ? RESULT : refusal, { 'retry-after': '0' });
  });
  const verdict = patient(baseUrl, { idempotency: false });
  t.equal((await verdict.check('a@b.example')).decision, 'allow');
  t.equal((await caught(verdict.check('a@b.example'))).status, 503);
  t.equal(seen.length, 3);
  t.ok(seen.every(({ headers }) => headers['idempotency-key'] === undefined));
});

t.test('a refusal is thrown with code, fields, request id and limits, and is not repeated', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response) =>
    json(
      response,
      400,
      {
        error: 'email: is wrong',
        code: 'invalid_request',
        errors: [{ field: 'email', message: 'is wrong' }],
      },
      { 'x-request-id': 'req_1', 'ratelimit-limit': '50', 'x-quota-remaining': '7' },
    ),
  );
  const error = await caught(
    patient(baseUrl, { fallback: 'allow' })
      .check('nonsense')
      .then(() => undefined),
  );
  t.match(error, { code: 'invalid_request', status: 400, requestId: 'req_1', message: 'email: is wrong' });
  t.strictSame(error.errors, [{ field: 'email', message: 'is wrong' }]);
  t.match(error.limits, { rateLimit: 50, quotaRemaining: 7, quotaLimit: null });
  t.equal(seen.length, 1);
});

t.test('a used-up month is not repeated, and the fallback stands in', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response) =>
    json(
      response,
      429,
      { error: 'used up', code: 'quota_exceeded', checks_used: 10, checks_limit: 10, upgrade_url: '/x' },
      { 'retry-after': '99999' },
    ),
  );
  t.match(await caught(patient(baseUrl).check('a@b.example')), {
    code: 'quota_exceeded',
    checksUsed: 10,
    checksLimit: 10,
  });
  const outcome = await patient(baseUrl, { fallback: 'review' }).check('a@b.example');
  t.equal(outcome.decision, 'review');
  t.equal(outcome.fallback?.code, 'quota_exceeded');
  t.equal(seen.length, 2);
});

t.test('Retry-After is obeyed, and a wait past the deadline ends the call with the reason', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response) =>
    json(response, 429, { error: 'too fast', code: 'rate_limited' }, { 'retry-after': '60' }),
  );
  const error = await caught(patient(baseUrl, { deadlineMs: 30_000 }).check('a@b.example'));
  t.match(error, { code: 'rate_limited', retryAfterSeconds: 60 });
  t.equal(seen.length, 1, 'no second try before the minute was over');
});

t.test('a silent validator ends in the fallback, and the caller is told', async (t) => {
  const { baseUrl } = await serve(t, () => undefined);
  // Counted where they are sent: the time of a try may be over before the server has even accepted it.
  let tries = 0;
  const counting: typeof fetch = (...request) => {
    tries++;
    return fetch(...request);
  };
  const verdict = patient(baseUrl, { timeoutMs: 50, fallback: 'challenge', fetch: counting });
  const outcome = await verdict.check({ email: 'a@b.example', ip: '203.0.113.7' });
  t.match(outcome, {
    success: false,
    id: null,
    email: 'a@b.example',
    ip: '203.0.113.7',
    decision: 'challenge',
  });
  t.equal(outcome.fallback?.code, 'timeout');
  t.equal(tries, 3);
});

t.test('the deadline holds over all tries', async (t) => {
  const { baseUrl } = await serve(t, () => undefined);
  const verdict = patient(baseUrl, { timeoutMs: 60_000, deadlineMs: 80, retries: 10 });
  t.match(await caught(verdict.check('a@b.example')), { code: 'deadline_exceeded', status: 0 });
});

t.test('a validator that hangs up in the middle of an answer is asked again', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response, attempt) => {
    if (attempt > 1) return json(response, 200, RESULT);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"success":');
    return void setImmediate(() => response.destroy());
  });
  t.equal((await patient(baseUrl).check('a@b.example')).decision, 'allow');
  t.equal(seen.length, 2);
});

t.test('nobody listening is a network error after all tries', async (t) => {
  const verdict = patient('http://127.0.0.1:1/api/v1/', { retries: 1 });
  const error = await caught(verdict.status());
  t.match(error, { code: 'network_error', status: 0, validatorUnavailable: true });
  t.ok(error.cause instanceof Error);
});

t.test('an abort of the caller is no outage: it throws, fallback or not', async (t) => {
  const { baseUrl } = await serve(t, () => undefined);
  const verdict = patient(baseUrl, { fallback: 'allow' });
  const stop = new AbortController();
  const call = caught(verdict.check('a@b.example', { signal: stop.signal }).then(() => undefined));
  setImmediate(() => stop.abort());
  t.equal((await call).code, 'aborted');
  t.equal((await caught(verdict.usage({ signal: AbortSignal.abort() }))).code, 'aborted');
});

t.test('an abort during a wait ends the call at once', async (t) => {
  const stop = new AbortController();
  const { baseUrl } = await serve(t, (_request, response) => {
    json(response, 503, { error: 'away', code: 'unavailable' }, { 'retry-after': '30' });
    setTimeout(() => stop.abort(), 20);
  });
  const verdict = patient(baseUrl, { deadlineMs: 120_000 });
  t.equal((await caught(verdict.status({ signal: stop.signal }))).code, 'aborted');
});

t.test('an answer that is not JSON is a typed error, whatever its status', async (t) => {
  const { baseUrl } = await serve(t, (_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<h1>Bad gateway</h1>');
  });
  t.match(await caught(patient(baseUrl, { retries: 0 }).status()), {
    code: 'not_json',
    status: 502,
    validatorUnavailable: true,
  });
});

t.test('the key does not follow a redirect', async (t) => {
  const elsewhere = await serve(t, (_request, response) => json(response, 200, RESULT));
  const { baseUrl } = await serve(t, (_request, response) => {
    response.writeHead(307, { location: elsewhere.baseUrl });
    response.end();
  });
  t.equal((await caught(patient(baseUrl, { retries: 0 }).status())).code, 'network_error');
  t.equal(elsewhere.seen.length, 0);
});

t.test('a base address with or without its slash is the same', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response) => json(response, 200, RESULT));
  await patient(baseUrl.slice(0, -1)).check('a@b.example');
  t.equal(seen[0]?.url, '/api/v1/check/');
});

t.test('options that cannot work are refused where they are written', async (t) => {
  const baseUrl = 'http://127.0.0.1:1/';
  t.throws(() => new Verdict({ apiKey: '', baseUrl }), { message: 'apiKey is required' });
  t.throws(() => new Verdict({ apiKey: 'k', baseUrl: 'ftp://x' }), { message: /http or https/ });
  t.throws(() => new Verdict({ apiKey: 'k', baseUrl, timeoutMs: 0 }), { message: /timeoutMs/ });
});

t.test('a large array is split, grows to what the plan allows, and keeps its order', async (t) => {
  const sizes: number[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { items } = JSON.parse(text) as { items: { email: string; ref?: string }[] };
    sizes.push(items.length);
    const results = items.map(({ email, ref = null }) => ({ ref, check: { ...RESULT, email } }));
    json(response, 200, { success: true, results }, { 'ratelimit-limit': '200' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise((resolve) => server.close(resolve)));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`;
  const verdict = patient(baseUrl);
  const items = Array.from({ length: 430 }, (_, i) => ({ email: `p${i}@b.example`, ref: `row ${i}` }));
  const results = await verdict.checkBatch(items, { concurrency: 1 });
  t.strictSame(sizes, [50, 200, 180]);
  t.strictSame(
    results.map(({ ref, check }) => [ref, check?.email]),
    items.map(({ ref, email }) => [ref, email]),
  );
  t.strictSame(await verdict.checkBatch([]), []);
});

t.test('a batch that is too fast waits for its turn', async (t) => {
  const { baseUrl, seen } = await serve(t, (_request, response, attempt) =>
    attempt < 3
      ? json(response, 429, { error: 'too fast', code: 'rate_limited' }, { 'retry-after': '0' })
      : json(response, 200, { success: true, results: [{ ref: null, check: RESULT }] }),
  );
  const results = await patient(baseUrl, { retries: 0 }).checkBatch([{ email: 'a@b.example' }]);
  t.equal(results[0]?.check?.id, 'log_1');
  t.equal(seen.length, 3);
});
