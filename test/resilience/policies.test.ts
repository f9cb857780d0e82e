import type { CheckResult } from '@verdict/contracts/check-api.js';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import t from 'tap';

const stack = await startStack({
  gateways: 2,
  env: { 'control-plane': { REQUESTS_PER_MINUTE: 1_000_000 } },
});
t.teardown(() => stack.stop());

type Account = Awaited<ReturnType<typeof stack.createAccount>>;
const PATIENT = { withinMs: 300_000 };
const VERSIONS = 10;
/** Odd versions review every check, even ones block it. */
const decisionOf = (version: number) => (version % 2 === 1 ? 'review' : 'block');

/** An account with its versions saved, and calls as its user. */
async function customer(plan: string) {
  const account = await stack.createAccount(plan);
  const api = stack.baseUrls[0] ?? '';
  const { email, password } = account;
  const login = await http<{ access: string }>(`${api}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  const call = async <T>(path: string, request: HttpRequest): Promise<T> => {
    const sent = { ...request, headers: { ...headers, ...request.headers } };
    const { status, body, text } = await http<T>(`${api}${path}`, sent);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return body as T;
  };
  for (let version = 1; version <= VERSIONS; version++) {
    const when = { all: [{ field: 'score', op: 'gte', value: 0 }] };
    const rules = [{ name: `Version ${version}`, when, then: { exactly: decisionOf(version) } }];
    await call('policies/', { json: { rules } });
  }
  const makeLive = (version: number) =>
    call('policies/live/', { method: 'PUT', json: { version, really: true } });
  await makeLive(1);
  return { account, call, makeLive };
}

const check = async ({ apiKey }: Account, email: string, url = stack.baseUrls[0] ?? '') => {
  const { status, body } = await http<CheckResult>(`${url}check/`, {
    headers: { 'x-api-key': apiKey },
    json: { email },
  });
  if (status !== 200) throw new Error(`${email}: ${status}`);
  return body;
};
/** The version that an answer names. */
const versionOf = ({ reasons }: Pick<CheckResult, 'reasons'>) =>
  Number(/^Your rule 'Version (\d+)'/.exec(reasons.at(-1) ?? '')?.[1]);

interface Row {
  readonly id: string;
  readonly decision: string;
  readonly version: number;
}
const rowsOf = ({ accountId }: Account) =>
  stack.sql<Row>('SELECT id, decision, policy_version AS version FROM check_logs WHERE account_id = $1', [
    accountId,
  ]);

const CHECKS = 2_000;
const FLIPS = 50;
const CLIENTS = 8;

t.test('while the live version flips, every log names a version and has its decision', async (t) => {
  const { account, makeLive } = await customer('scale');
  const answers: CheckResult[] = [];
  let flips = 0;
  const load = async (client: number) => {
    while (answers.length < CHECKS || flips < FLIPS) {
      answers.push(await check(account, `p${client}@gmail.com`, stack.baseUrls[client % 2]));
    }
  };
  const flip = async () => {
    for (; flips < FLIPS; flips++) {
      const live = 1 + (flips % VERSIONS);
      await makeLive(live);
      const after = await Promise.all(stack.baseUrls.map((url) => check(account, 'flip@gmail.com', url)));
      t.strictSame(after.map(versionOf), [live, live], 'once it is answered, every gateway judges by it');
      answers.push(...after);
    }
  };
  await Promise.all([flip(), ...Array.from({ length: CLIENTS }, (_, client) => load(client))]);
  const rows = await eventually(async () => {
    const found = await rowsOf(account);
    return found.length === answers.length && found;
  }, PATIENT);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const wrong = answers.filter((answer) => {
    const row = byId.get(answer.id);
    const isSame = row?.version === versionOf(answer) && row.decision === answer.decision;
    return !isSame || row.decision !== decisionOf(row.version);
  });
  t.strictSame(wrong, [], `${answers.length} rows are what was answered, by the version they name`);
  t.equal(new Set(rows.map(({ version }) => version)).size, VERSIONS, 'and every version judged some');
});

t.test('a gateway that is killed between step and answer leaves the row of its note', async (t) => {
  const { account, makeLive } = await customer('free');
  const proxy = await startProxy({ host: '127.0.0.1', port: stack.redis.port });
  t.teardown(() => proxy.close());
  const gateway = await startService('gateway', {
    ...stack.environments.gateway,
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
  });
  t.teardown(() => gateway.kill());
  const url = `${gateway.url}/api/v1/`;
  await check(account, 'eve@gmail.com', url);
  await eventually(async () => (await rowsOf(account)).length === 1, PATIENT);
  for (const worker of stack.workers) worker.signal('SIGSTOP');
  proxy.loseAnswers();
  const lost = t.rejects(check(account, 'eve@gmail.com', url));
  const used = usedField(monthOf(new Date()));
  await eventually(
    async () => (await stack.redis.client.hget(accountKey(account.accountId, 1), used)) === '2',
    PATIENT,
  );
  await gateway.kill();
  await lost;
  await makeLive(2);
  for (const worker of stack.workers) worker.signal('SIGCONT');
  const rows = await eventually(async () => {
    const found = await rowsOf(account);
    return found.length === 2 && found;
  }, PATIENT);
  t.strictSame(
    rows.map(({ decision, version }) => [decision, version]),
    [
      ['review', 1],
      ['review', 1],
    ],
  );
  t.equal(versionOf(await check(account, 'eve@gmail.com')), 2);
});

t.test('a bulk job keeps the version that it started with', async (t) => {
  const { account, call, makeLive } = await customer('free');
  const ROWS = 300;
  const body = `email\n${Array.from({ length: ROWS }, (_, i) => `p${i}@gmail.com`).join('\n')}\n`;
  const { job } = await call<{ job: { id: string } }>(`jobs/?start=auto&api_key_id=${account.apiKeyId}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body,
  });
  const jobNow = async () => {
    const [row] = await stack.sql<{ done: number; status: string }>(
      'SELECT done, status FROM bulk_jobs WHERE id = $1',
      [job.id],
    );
    return row ?? { done: 0, status: 'gone' };
  };
  await eventually(async () => (await jobNow()).done > 0, { ...PATIENT, everyMs: 20 });
  for (const worker of stack.workers) worker.signal('SIGSTOP');
  const { done } = await jobNow();
  await makeLive(2);
  for (const worker of stack.workers) worker.signal('SIGCONT');
  t.ok(done < ROWS, `the version changes after ${done} of ${ROWS} rows`);
  // The job may use the whole rate of the key for a moment.
  t.equal(versionOf(await eventually(() => check(account, 'single@gmail.com'), PATIENT)), 2);
  await eventually(async () => (await jobNow()).status === 'completed', PATIENT);
  const rows = await eventually(async () => {
    const found = await rowsOf(account);
    return found.length === ROWS + 1 && found;
  }, PATIENT);
  t.equal(rows.filter(({ decision, version }) => version === 1 && decision === 'review').length, ROWS);
  const shown = await stack.sql(
    `SELECT decision FROM bulk_addresses WHERE job_id = $1 AND decision <> 'review'`,
    [job.id],
  );
  t.strictSame(shown, [], 'in the results too');
});
