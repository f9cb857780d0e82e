import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createApiKey } from '@verdict/domain/api-key.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

// Time for what is on its way to arrive after the gateway said that it leaves; and scoring is waited for no longer than needed.
const env = { gateway: { DRAIN_DELAY_MS: 3_000, SCORING_DEADLINE_MS: 10_000 } };
const stack = await startStack({ gateways: 2, env });
t.teardown(() => stack.stop());

type Body = Record<string, unknown>;
const check = () => stack.api<Body>('check/', { json: { email: 'jane@gmail.com' } });
const used = async () => (await stack.api<{ checks_used: number }>('usage/')).body.checks_used;
const answersAgain = () => eventually(async () => (await check()).status === 200);

t.test('scoring lost: 503 with error, nothing charged, and back by itself', async (t) => {
  await answersAgain();
  const before = await used();
  await stack.scorings[0]?.kill();
  for (let i = 0; i < 3; i++) {
    const answer = await check();
    t.equal(answer.status, 503);
    t.equal(typeof answer.body.error, 'string');
    t.ok(Number(answer.headers['retry-after']) >= 1);
  }
  await eventually(async () => (await used()) === before);
  t.equal((await stack.api('status/')).status, 503, 'status needs the datasets');
  await stack.scorings[0]?.restart();
  await answersAgain();
});

t.test('scoring hangs: 503 at its deadline, nothing charged, and back by itself', async (t) => {
  const before = await used();
  stack.scorings[0]?.signal('SIGSTOP');
  const answers = await Promise.all([check(), check(), check()]);
  // It hangs until they are answered, so no request waited for it.
  stack.scorings[0]?.signal('SIGCONT');
  t.ok(answers.every(({ status }) => status === 503));
  await eventually(async () => (await used()) === before);
  await answersAgain();
});

t.test('Redis lost: 503 with error, and back by itself with everything that was counted', async (t) => {
  await answersAgain();
  const before = await used();
  await stack.redis.kill();
  const answer = await check();
  t.equal(answer.status, 503);
  t.equal(typeof answer.body.error, 'string');
  await stack.redis.restart();
  await answersAgain();
  t.ok((await used()) > before, 'the month was not forgotten');
});

t.test('the control plane lost: checks go on, its routes say 503, and it comes back by itself', async (t) => {
  await stack.controlPlane.kill();
  t.equal((await check()).status, 200);
  const answer = await stack.api<Body>('dashboard/keys/');
  t.equal(answer.status, 503);
  t.equal(typeof answer.body.error, 'string');
  await stack.controlPlane.restart();
  await eventually(async () => (await stack.api('usage/')).status === 200);
});

t.test('every check that was answered meanwhile is in Postgres once', async (t) => {
  const counted = await used();
  const [row] = await eventually(async () => {
    const rows = await stack.sql<{ checks: number; ids: number; rolled: number }>(
      `SELECT count(*)::int AS checks, count(DISTINCT id)::int AS ids,
              (SELECT coalesce(sum(checks), 0)::int FROM usage_hourly) AS rolled FROM check_logs`,
    );
    return rows[0]?.rolled === rows[0]?.checks && (rows[0]?.checks ?? 0) >= 5 && rows;
  });
  t.equal(row?.ids, row?.checks);
  t.ok(counted >= (row?.checks ?? 0), 'the counter admits at least what was logged');
});

/** A logged-in user with a fresh account. */
async function customer() {
  const { email, password } = await stack.createAccount();
  const { body } = await http<{ access: string }>(`${stack.baseUrls[0]}auth/jwt/create/`, {
    json: { email, password },
  });
  const api = <T = Body>(path: string, request: HttpRequest = {}) =>
    http<T>(`${stack.baseUrls[0]}${path}`, {
      ...request,
      headers: { authorization: `Bearer ${body.access}` },
    });
  const createKey = async () => {
    const made = await api<{ key: { id: string }; api_key: string }>('dashboard/keys/', {
      json: { name: 'k' },
    });
    return { id: made.body.key.id, value: made.body.api_key };
  };
  return { api, createKey };
}
const checkAt = (gateway: number, key: string) =>
  http<Body>(`${stack.baseUrls[gateway % 2]}check/`, {
    headers: { 'x-api-key': key },
    json: { email: 'someone@example.com' },
  });

t.test('after FLUSHALL every key works again without a restart, and nobody gets a fresh month', async (t) => {
  const { createKey, api } = await customer();
  const [live, dead] = [await createKey(), await createKey()];
  for (let i = 0; i < 7; i++) t.equal((await checkAt(i, live.value)).status, 200);
  await api(`dashboard/keys/${dead.id}/`, { method: 'DELETE' });
  await eventually(async () => (await api<{ total: number }>('dashboard/usage/')).body.total === 7);
  await stack.redis.client.flushall();
  for (const gateway of [0, 1]) {
    t.equal((await checkAt(gateway, live.value)).status, 200);
    t.equal((await checkAt(gateway, dead.value)).status, 403, 'revoked is still revoked');
    t.equal((await checkAt(gateway, createApiKey(randomFillSync))).status, 401, 'and unknown still unknown');
  }
  t.match((await http<Body>(`${stack.baseUrls[0]}usage/`, { headers: { 'x-api-key': live.value } })).body, {
    checks_used: 9,
  });
});

t.test('a control plane that dies and comes back finishes what it had only committed', async (t) => {
  const { createKey } = await customer();
  const { id, value } = await createKey();
  await stack.controlPlane.kill();
  // The changes that the dead process had committed, and no more.
  await stack.sql(
    `WITH revoked AS (UPDATE api_keys SET status = 'revoked', revoked_at = now() WHERE id = $1 RETURNING account_id)
     UPDATE accounts SET version = version + 1 FROM revoked WHERE accounts.id = revoked.account_id`,
    [id],
  );
  t.equal((await checkAt(0, value)).status, 200, 'checks go on without a control plane');
  await stack.controlPlane.restart();
  await eventually(async () => (await checkAt(0, value)).status === 403);
  t.equal((await checkAt(1, value)).status, 403);
});

t.test('a dashboard without Redis says so instead of waiting for it', async (t) => {
  const { api } = await customer();
  stack.redis.signal('SIGSTOP');
  const answer = await api('dashboard/keys/').finally(() => stack.redis.signal('SIGCONT'));
  t.match(answer, {
    status: 503,
    body: { error: 'The service cannot answer right now. Try again in a moment.', code: 'unavailable' },
    headers: { 'retry-after': '1' },
  });
  await answersAgain();
});

t.test('a client that hung up before its answer does not hold up a stop', async (t) => {
  const gateway = stack.gateways[0];
  const { port } = new URL(gateway?.url ?? '');
  const body = JSON.stringify({ email: 'gone@gmail.com' });
  const request = `POST /api/v1/check/ HTTP/1.1\r\nhost: x\r\nx-api-key: ${stack.apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request, () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  const end = await gateway?.stop();
  t.equal(end?.code, 0);
  await gateway?.restart();
  await answersAgain();
});

t.test('a stopping gateway finishes what it has and exits with 0', async (t) => {
  const gateway = stack.gateways[0];
  const pending = Array.from({ length: 20 }, () => check());
  await Promise.race(pending);
  const end = await gateway?.stop();
  const answers = await Promise.allSettled(pending);
  t.equal(end?.code, 0);
  t.ok(
    answers.every((one) => one.status === 'fulfilled' && one.value.status === 200),
    'no request that had arrived was dropped',
  );
});
