import { randomFillSync } from 'node:crypto';
import { dereference } from '@readme/openapi-parser';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { createApiKey } from '@verdict/domain/api-key.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { Pool } from 'undici';
import { seededRandom } from '../failure/support/seeded-random.js';
import { SECURITY } from './config.js';
import {
  brokenPromise,
  type Document,
  type FuzzRequest,
  makeRequest,
  readOperations,
} from './fuzz-requests.js';
import { residentBytes } from './resident-bytes.js';

const { seed, requests, clients, isLong } = SECURITY.fuzz;
/** The growth that caches and pools may still have after a third of the requests. */
const GROWTH_BYTES_MAX = 96 * 1024 * 1024;

/** One account alone would wait for its share of the control plane. */
const CALLERS = 32;

/** Percent of requests that authentication lets pass. */
const PAST_AUTHENTICATION_MIN = 40;

t.setTimeout(600_000 + requests * 30);
const many = 1_000_000_000;
// Limits are tested elsewhere; here as much as possible should pass, without time-outs on a slow machine.
const stack = await startStack({
  env: {
    gateway: {
      AUTH_FAILURES_PER_MINUTE: many,
      LOOKS_PER_SECOND: many,
      REQUESTS_PER_MINUTE: many,
      SCORING_DEADLINE_MS: 60_000,
    },
    'control-plane': { ACCESS_TOKEN_SECONDS: 86_400, CHANGES_PER_HOUR: many },
  },
});
t.teardown(() => stack.stop());
const [gateway] = stack.gateways;
if (!gateway) throw new Error('no gateway');
const { origin } = new URL(gateway.url);

type Credentials = Parameters<typeof makeRequest>[2];

async function credentialsOf(): Promise<Credentials> {
  const { email, password, apiKey } = await stack.createAccount('scale');
  const login = await http<{ access: string }>(`${origin}/api/v1/auth/jwt/create/`, {
    json: { email, password },
  });
  const { access } = login.body;
  const bearer = { authorization: `Bearer ${access}` };
  const key = { 'x-api-key': apiKey };
  const any = [
    key,
    bearer,
    { ...key, ...bearer },
    {},
    { 'x-api-key': createApiKey(randomFillSync) },
    { 'x-api-key': 'nonsense' },
    { authorization: `Bearer ${access.slice(0, -5)}` },
    { authorization: `Bearer ${access.split('.')[0]}..` },
    { authorization: 'Basic eDp5' },
    { cookie: 'verdict_refresh=x; a=b' },
  ];
  return { key, token: bearer, any };
}

t.test(`${requests} requests to every route, with good and broken credentials; seed ${seed}`, async (t) => {
  const callers = await Promise.all(Array.from({ length: CALLERS }, credentialsOf));
  const { body: document } = await http<never>(origin + OPENAPI_PATH);
  const operations = readOperations((await dereference(document)) as Document);
  const random = seededRandom(seed);
  const pool = new Pool(origin, { connections: clients, pipelining: 1 });
  t.teardown(() => pool.close());

  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  let authenticated = 0;
  let sent = 0;
  let afterAThird = 0;
  const services = [gateway, stack.controlPlane, ...stack.scorings];
  const memory = () => services.reduce((all, { pid }) => all + residentBytes(pid), 0);

  async function client(): Promise<void> {
    while (sent < requests) {
      if (++sent === Math.ceil(requests / 3)) afterAThird = memory();
      const request = makeRequest(random, operations, callers[sent % CALLERS] as Credentials);
      const fault = await judge(request);
      if (fault !== undefined) wrong.push(`${request.method} ${request.path.slice(0, 200)}: ${fault}`);
    }
  }

  async function judge({ method, path, headers, body, operation }: FuzzRequest): Promise<string | undefined> {
    const answer = await pool.request({ method: method as 'GET', path, headers, body: body ?? null });
    const text = await answer.body.text();
    statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    if (operation && answer.statusCode !== 401 && answer.statusCode !== 403) authenticated += 1;
    if (answer.statusCode >= 500) return `${answer.statusCode} ${text.slice(0, 200)}`;
    if (operation) {
      const broken = brokenPromise(operation, { status: answer.statusCode, headers: answer.headers, text });
      if (broken !== undefined) return broken;
    }
    if (answer.statusCode < 400 || method === 'HEAD') return undefined;
    return saysError(text) ? undefined : `${answer.statusCode} is not JSON with error: ${text.slice(0, 200)}`;
  }

  const from = Date.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = Math.round((Date.now() - from) / 1000);
  const growth = memory() - afterAThird;
  const share = Math.round((100 * authenticated) / sent);
  const figures = {
    requests: sent,
    operations: operations.length,
    seconds,
    statuses,
    past_authentication: `${share} %`,
    memory_mb: { after_a_third: megabytes(afterAThird), at_the_end: megabytes(afterAThird + growth) },
    wrong: wrong.length,
  };
  // The long form is run to be read: its figures go past the reporter, which shows only names.
  if (isLong) process.stderr.write(`seed ${seed}: ${JSON.stringify(figures)}\n`);
  t.strictSame(
    wrong.slice(0, 20),
    [],
    'no failure of ours, every refusal is JSON with error, every answer as documented',
  );
  t.ok(growth < GROWTH_BYTES_MAX, `memory is flat: ${megabytes(growth)} MB more`);
  t.ok(share >= PAST_AUTHENTICATION_MIN, `${share} % came past authentication`);
  t.ok((statuses['200'] ?? 0) > 0 && (statuses['400'] ?? 0) > 0, 'some came through, some were refused');
  t.equal(
    (await http(`${origin}/api/v1/status/`, { headers: callers[0]?.key ?? {} })).status,
    200,
    'the key still works',
  );
});

function saysError(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { error?: unknown }).error === 'string';
  } catch {
    return false;
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
