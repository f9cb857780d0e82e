import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { startChaosStack } from './support/chaos-stack.js';
import { printFigures } from './support/print-figures.js';
import { readUsed } from './support/read-used.js';
import { seedSmallAccount } from './support/seed-small-account.js';

const chaos = await startChaosStack();
const { stack, metering } = chaos;
t.teardown(() => chaos.stop());
const small = await seedSmallAccount(stack);

/** A gateway whose connection to Redis breaks as often as the test likes, after a command was sent or before. */
const link = await startProxy({ host: '127.0.0.1', port: stack.redis.port });
t.teardown(() => link.close());
const gateway = await startService('gateway', {
  ...stack.environments.gateway,
  REDIS_URL: `redis://127.0.0.1:${link.port}`,
});
t.teardown(() => gateway.stop());

async function check(baseUrl: string, apiKey = small.apiKey) {
  const { status, body } = await http<{ id?: string }>(`${baseUrl}check/`, {
    headers: { 'x-api-key': apiKey },
    json: { email: 'jane@load.example' },
  });
  return { status, logId: body.id ?? '' };
}
const drained = () =>
  eventually(async () => (await readBacklog(metering.redis, metering.shards)).oldestMs === null, {
    withinMs: CHAOS.drainMs,
  });

t.test('replies of Redis are lost: exactly the quota passes, and every answer has its row', async (t) => {
  const answered: string[] = [];
  let cuts = 0;
  let isUsedUp = false;
  let fruitless = 0;
  // A slow machine gets nothing done between two cuts: after some of them in vain they wait for an answer.
  const breaking = setInterval(() => {
    if (fruitless === 20) return;
    link.cut();
    link.restore();
    cuts++;
    fruitless++;
  }, 25);
  const clients = Array.from({ length: 8 }, async () => {
    while (!isUsedUp) {
      const { status, logId } = await check(`${gateway.url}/api/v1/`);
      if (status === 200) {
        answered.push(logId);
        fruitless = 0;
      }
      if (status === 429) isUsedUp = true;
    }
  });
  await Promise.all(clients);
  clearInterval(breaking);
  await drained();
  const rows = await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE account_id = $1', [
    small.accountId,
  ]);
  const stored = new Set(rows.map(({ id }) => id));
  printFigures(t.name, { cuts, answered: answered.length, rows: rows.length });
  t.equal(rows.length, small.limit, `${cuts} cuts, ${answered.length} answered`);
  t.strictSame(
    answered.filter((id) => !stored.has(id)),
    [],
  );
  t.equal(await readUsed(metering.redis, small.accountId, monthOf(new Date())), small.limit);
  t.strictSame(await reconcile(metering, monthOf(new Date())), []);
});

t.test('a used-up month stays used up when Redis is killed', async (t) => {
  await stack.redis.kill();
  await stack.redis.restart();
  await eventually(async () => (await check(stack.baseUrls[0] ?? '')).status === 429);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => check(stack.baseUrls[i % 2] ?? '')));
  t.ok(answers.every(({ status }) => status === 429));
});

t.test('a Redis that hangs is a 503 while it does, and checks go on as soon as it does', async (t) => {
  stack.redis.signal('SIGSTOP');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => check(stack.baseUrls[i % 2] ?? '', stack.apiKey)),
  );
  // It hangs until they are answered, so no request waited for it.
  stack.redis.signal('SIGCONT');
  t.ok(answers.every(({ status }) => status === 503));
  await eventually(async () => (await check(stack.baseUrls[0] ?? '', stack.apiKey)).status === 200);
  await drained();
  t.strictSame(
    await reconcile(metering, monthOf(new Date())),
    [],
    'what was cut short is counted or is not, as a whole',
  );
});
