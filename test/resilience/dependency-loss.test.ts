import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

// Time for what is on its way to arrive after the gateway said that it leaves; and scoring is waited for no longer than needed.
const env = { gateway: { DRAIN_DELAY_MS: 3_000, SCORING_DEADLINE_MS: 10_000 } };
const stack = await startStack({ env });
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
  // It hangs until they are answered: nobody waited for it.
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
