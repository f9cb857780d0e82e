import type { CheckResult } from '@verdict/contracts/check-api.js';
import type { BacktestReply } from '@verdict/contracts/policy.js';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { besideRows } from '../harness/beside-rows.js';

const stack = await startStack({
  gateways: 2,
  env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000 } },
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
  t.strictSame(await besideRows(stack.sql, answers), []);
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
  const ROWS = 100;
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

t.test('a rule that ends during a bulk job decides the rows that were checked before its end', async (t) => {
  const { account, call, makeLive } = await customer('free');
  const ROWS = 100;
  const body = `email\n${Array.from({ length: ROWS }, (_, i) => `p${i}@gmail.com`).join('\n')}\n`;
  /** A job of a version that ends so soon. On a busy machine its first row may come too late. */
  const begin = async (afterMs: number) => {
    const end = Date.now() + afterMs;
    const rule = { when: { all: [{ field: 'score', op: 'gte', value: 0 }] }, then: { exactly: 'review' } };
    const rules = [{ ...rule, name: 'For a while', ends_at: new Date(end).toISOString() }];
    const { policy } = await call<{ policy: { version: number } }>('policies/', { json: { rules } });
    await makeLive(policy.version);
    const { job } = await call<{ job: { id: string } }>(`jobs/?start=auto&api_key_id=${account.apiKeyId}`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body,
    });
    return { id: job.id, end };
  };
  const checkedOf = (id: string) =>
    stack.sql<{ decision: string; checkedMs: number }>(
      `SELECT decision, (extract(epoch FROM checked_at) * 1000)::float8 AS "checkedMs" FROM bulk_addresses
       WHERE job_id = $1 AND decision IS NOT NULL`,
      [id],
    );
  let begun: Awaited<ReturnType<typeof begin>>;
  for (let afterMs = 5_000; ; afterMs *= 2) {
    begun = await begin(afterMs);
    const { id, end } = begun;
    const first = await eventually(
      async () => {
        const rows = await checkedOf(id);
        return rows.length > 0 && rows;
      },
      { ...PATIENT, everyMs: 20 },
    );
    for (const worker of stack.workers) worker.signal('SIGSTOP');
    await eventually(async () => Date.now() > end, PATIENT);
    for (const worker of stack.workers) worker.signal('SIGCONT');
    if (first.some(({ checkedMs }) => checkedMs < end) && first.length < ROWS) break;
  }
  const { id, end } = begun;
  const rows = await eventually(async () => {
    const found = await checkedOf(id);
    return found.length === ROWS && found;
  }, PATIENT);
  const wrong = rows.filter(({ decision, checkedMs }) => (decision === 'review') !== checkedMs < end);
  t.strictSame(wrong, [], 'each row by the instant of its check');
  t.ok(rows.some(({ checkedMs }) => checkedMs >= end) && rows.some(({ checkedMs }) => checkedMs < end));
  const differing = () =>
    stack.sql<{ logged: number; other: number }>(
      `SELECT count(l.id)::int AS logged, count(*) FILTER (WHERE l.decision <> a.decision)::int AS other
       FROM bulk_addresses a LEFT JOIN check_logs l ON l.id = a.log_id AND l.created_at = a.checked_at WHERE a.job_id = $1`,
      [id],
    );
  const [logs] = await eventually(async () => {
    const found = await differing();
    return found[0]?.logged === ROWS && found;
  }, PATIENT);
  t.equal(logs?.other, 0, 'and each log has the decision of its row');
});

t.test('a backtest whose worker is killed reports what one that ran undisturbed does', async (t) => {
  const { account, call } = await customer('free');
  const STORED = 20_000;
  const at = new Date();
  await stack.sql(
    `INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, verdict_score, signals, factors, datasets, request_id,
       created_at, extra, ip_network)
     SELECT 'log_' || lpad(upper(to_hex(n)), 26, '0'), $1, $2,
       CASE WHEN score < 30 THEN 'allow' WHEN score < 55 THEN 'challenge' WHEN score < 80 THEN 'review' ELSE 'block' END,
       score, score, jsonb_build_object('disposable_email', false, 'mx_valid', true, 'free_provider', n % 3 = 0),
       jsonb_build_array(jsonb_build_object('code', 'TEST', 'points', score)), 'd', 'req_' || n,
       $3::timestamptz - n * interval '1 microsecond', '{}'::text[], ''
     FROM generate_series(1, $4::int) n, LATERAL (SELECT (n * 37) % 101 AS score) s`,
    [account.accountId, account.apiKeyId, at.toISOString(), STORED],
  );
  await stack.sql(
    `INSERT INTO check_subjects (id, account_id, domain, email_hash, reasons, created_at)
     SELECT id, account_id, 'a.example', id, '[]', created_at FROM check_logs WHERE account_id = $1`,
    [account.accountId],
  );
  const free = { all: [{ field: 'signals.free_provider', op: 'eq', value: true }] };
  const halfway = new Date(at.getTime() - STORED / 2_000).toISOString();
  const rules = [
    { name: 'Look', when: { all: [{ field: 'score', op: 'gte', value: 90 }] }, then: { watch: true } },
    { name: 'For a while', when: free, then: { at_least: 'review' }, ends_at: halfway },
    { name: 'Free', when: free, then: { exactly: 'challenge' } },
  ];
  const { policy } = await call<{ policy: { version: number } }>('policies/', { json: { rules } });
  const range = { from: new Date(at.getTime() - 3_600_000).toISOString(), to: at.toISOString() };
  const start = async () => {
    const path = `policies/${policy.version}/backtest/`;
    return (await call<{ backtest: { id: string } }>(path, { json: range })).backtest.id;
  };
  /** The report without what two runs never share. */
  const ended = (id: string) =>
    eventually(async () => {
      const { backtest } = await call<BacktestReply>(`policies/backtests/${id}/`, { method: 'GET' });
      const { id: _, created_at, finished_at, ...report } = backtest;
      return report.status === 'done' && report;
    }, PATIENT);
  const undisturbed = await ended(await start());
  t.match(undisturbed, { judged: STORED, changed: Number });
  t.ok(undisturbed.hits.every(({ checks }) => checks > 0));

  const [worker] = stack.workers;
  if (!worker) throw new Error('the stack has a worker');
  let id: string;
  let done: number;
  let lease: number;
  // A worker that was too fast for the look at it gets another backtest.
  for (;;) {
    id = await start();
    const stateOf = async () => {
      const [row] = await stack.sql<{ status: string; done: number; lease: number }>(
        'SELECT status, done::int, lease FROM policy_backtests WHERE id = $1',
        [id],
      );
      return row ?? { status: 'gone', done: 0, lease: 0 };
    };
    await eventually(async () => (await stateOf()).done > 0, { ...PATIENT, everyMs: 10 });
    worker.signal('SIGSTOP');
    const state = await stateOf();
    ({ done, lease } = state);
    if (state.status === 'running') break;
    worker.signal('SIGCONT');
  }
  await worker.kill();
  t.ok(done < STORED, `killed behind ${done} of ${STORED} checks`);
  const other = await startService('worker', stack.environments.worker);
  t.teardown(() => other.stop());
  const [held] = await stack.sql(
    `UPDATE policy_backtests SET leased_until = now() WHERE id = $1 AND lease = $2 RETURNING status`,
    [id, lease],
  );
  t.same(held, { status: 'running' }, 'another worker leaves it alone while the lease lasts');
  t.strictSame(await ended(id), undisturbed, 'and takes it up when the lease ends');
});
