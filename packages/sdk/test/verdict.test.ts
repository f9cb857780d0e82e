import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { BatchItem } from '../src/types.js';
import { type JobFile, Verdict, VerdictError, type VerdictOptions } from '../src/verdict.js';

// packages/sdk-conformance tests the duties of every client; these tests cover the features of this one.

interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server with prepared answers that records its requests. */
async function serve(t: Test, answer: (response: ServerResponse, attempt: number) => void) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    seen.push({ headers: request.headers, body: await text(request) });
    answer(response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`, seen };
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const caught = async (call: Promise<unknown>): Promise<VerdictError> => {
  const error = await call.then(
    () => new Error('the call did not throw'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof VerdictError) return error;
  throw error;
};

/** One whose patience does not run out on a machine that is busy. */
const patient = (baseUrl: string, options: VerdictOptions = {}): Verdict =>
  new Verdict({ apiKey: 'k', baseUrl, timeoutMs: 60_000, deadlineMs: 120_000, ...options });

t.test('an abort of the caller is no outage: it throws, fallback or not', async (t) => {
  const { baseUrl } = await serve(t, () => undefined);
  const verdict = new Verdict({
    apiKey: 'k',
    baseUrl,
    timeoutMs: 60_000,
    deadlineMs: 120_000,
    fallback: 'allow',
  });
  const stop = new AbortController();
  const call = caught(verdict.check('a@b.example', { signal: stop.signal }));
  setImmediate(() => stop.abort());
  t.equal((await call).code, 'aborted');
  t.equal((await caught(verdict.usage({ signal: AbortSignal.abort() }))).code, 'aborted');
});

t.test('an abort during a wait ends the call at once', async (t) => {
  const stop = new AbortController();
  const { baseUrl } = await serve(t, (response) => {
    response.writeHead(503, { 'retry-after': '30' });
    response.end();
    setTimeout(() => stop.abort(), 20);
  });
  t.equal((await caught(patient(baseUrl).status({ signal: stop.signal }))).code, 'aborted');
});

t.test('many calls may share one signal', async (t) => {
  const { baseUrl, seen } = await serve(t, (response) => json(response, 200, { status: 'ok' }));
  const warnings: Error[] = [];
  const hear = (warning: Error) => warnings.push(warning);
  process.on('warning', hear);
  t.teardown(() => process.off('warning', hear));
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 20 }, () => patient(baseUrl).status({ signal })));
  await new Promise(setImmediate);
  t.equal(seen.length, 20);
  t.strictSame(warnings, []);
});

t.test('options that cannot work are refused where they are written, by name', async (t) => {
  const baseUrl = 'http://127.0.0.1:1/';
  const refused = (options: VerdictOptions, message: RegExp) =>
    t.throws(() => new Verdict({ apiKey: 'k', ...options }), { name: 'TypeError', message });
  refused({ baseUrl: 'ftp://x' }, /baseUrl must be an http or https address/);
  refused({ baseUrl: '' }, /baseUrl/);
  refused({ baseUrl: `${baseUrl}?x=1` }, /baseUrl must have neither a query/);
  refused({ baseUrl, timeoutMs: 0 }, /timeoutMs/);
  refused({ baseUrl, retries: Number.NaN }, /retries/);
  await t.rejects(new Verdict({ apiKey: 'k', baseUrl }).status({ retries: Number.NaN }), {
    message: /retries/,
  });
  t.doesNotThrow(() => new Verdict(), 'a missing key is told by the first call');
});

t.test('options may be given as undefined', async (t) => {
  const maybe: { signal?: AbortSignal; key?: string } = {};
  const { baseUrl } = await serve(t, (response) => json(response, 200, { success: true, decision: 'allow' }));
  const verdict = new Verdict({ apiKey: 'k', baseUrl, timeoutMs: undefined, warn: undefined });
  const { decision } = await verdict.check(
    { email: 'a@b.example', ip: undefined },
    { signal: maybe.signal, idempotencyKey: maybe.key, timeoutMs: 60_000, deadlineMs: 120_000 },
  );
  t.equal(decision, 'allow');
});

t.test('a file may come from a path, a stream of either kind, a Blob or a generator', async (t) => {
  const { baseUrl, seen } = await serve(t, (response) =>
    json(response, 202, { job: { id: 'job_1', status: 'ready' } }),
  );
  const content = 'email\na@b.example\n';
  const path = `${t.testdir({ 'people.ndjson': content })}/people.ndjson`;
  async function* parts() {
    yield 'email\n';
    yield new TextEncoder().encode('a@b.example\n');
  }
  const files: JobFile[] = [
    { path },
    createReadStream(path),
    new Blob([content]),
    new Blob([content]).stream(),
    parts(),
  ];
  for (const file of files) await patient(baseUrl).jobs.create(file);
  t.strictSame(
    seen.map(({ body }) => body),
    files.map(() => content),
  );
  t.equal(seen[0]?.headers['content-type'], 'application/x-ndjson', 'the name of a path says what it is');
});

t.test('an error of a file in the middle is thrown as it is', async (t) => {
  const { baseUrl } = await serve(t, (response) =>
    json(response, 202, { job: { id: 'job_1', status: 'ready' } }),
  );
  const broken = new Error('the disk is gone');
  async function* parts() {
    yield 'email\n';
    throw broken;
  }
  t.equal(
    await patient(baseUrl)
      .jobs.create(parts())
      .catch((error: unknown) => error),
    broken,
  );
  await t.rejects(patient(baseUrl).jobs.create({ path: '/nowhere.csv' }), { code: 'ENOENT' });
});

t.test('a reader that stops early leaves nothing behind', async (t) => {
  const { baseUrl, seen } = await serve(t, (response, attempt) => {
    const results = Array.from({ length: 50 }, () => ({ ref: null, error: 'no', code: 'x', errors: [] }));
    if (attempt === 1) json(response, 200, { success: true, results });
    else setTimeout(() => json(response, 403, { error: 'inactive', code: 'key_inactive' }), 50);
  });
  let wasClosed = false;
  async function* endless(): AsyncGenerator<BatchItem> {
    try {
      for (;;) yield { email: 'a@b.example' };
    } finally {
      wasClosed = true;
    }
  }
  for await (const result of patient(baseUrl).checkEach(endless())) {
    t.equal(result.error, 'no');
    break;
  }
  t.ok(wasClosed, 'what gives the items is told');
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.ok(seen.length <= 2, 'and what failed afterwards is no unhandled rejection');
});
