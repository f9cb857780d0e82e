import { randomBytes } from 'node:crypto';
import { createAdmission } from '@verdict/admission/admission.js';
import { grantedChecks } from '@verdict/admission/granted-checks.js';
import { readNote } from '@verdict/admission/read-note.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { readCounter } from '@verdict/redis-store/counters.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { buildPreload } from './support/build-preload.js';
import { printFigures } from './support/print-figures.js';

const library = buildPreload('power-loss');
const options = library ? {} : { skip: 'no C compiler here: a power cut cannot be simulated' };
const ACKNOWLEDGED = 2_000;
const WRITERS = 8;

t.test('after a power cut, everything that appendfsync always acknowledged is there', options, async (t) => {
  for (let cut = 0; cut < CHAOS.powerLosses; cut++) {
    const { acknowledged, lost, counted, survived } = await cutPower('always');
    t.ok(acknowledged >= ACKNOWLEDGED);
    t.strictSame(lost, [], `0 of ${acknowledged} acknowledged logs were lost`);
    t.equal(counted, survived, 'and what is counted is what is queued');
  }
});

t.test(
  'everysec loses what it acknowledged in the last second: why every service warns about it',
  options,
  async (t) => {
    // A cut right after a sync loses nothing by luck; several in a row do not.
    let worst = { acknowledged: 0, lost: [] as string[], counted: 0, survived: 0 };
    for (let cut = 0; cut < 5 && worst.lost.length === 0; cut++) worst = await cutPower('everysec');
    t.ok(worst.lost.length > 0, `${worst.lost.length} of ${worst.acknowledged} acknowledged logs were lost`);
    t.equal(worst.counted, worst.survived, 'yet a step is lost as a whole or not at all');
  },
);

const CALLER = { accountId: 'acc_power', keyId: 'key_power', credential: 'key_power' };
const VERDICT = sampleVerdict();

/** Takes steps until enough are acknowledged, cuts the power, and looks at what comes back. */
async function cutPower(
  appendfsync: 'always' | 'everysec',
): Promise<{ acknowledged: number; lost: string[]; counted: number; survived: number }> {
  const server = await startRedis({ settings: { appendfsync }, environment: { LD_PRELOAD: library ?? '' } });
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
  const steps = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'steps');
  const store = { redis, shards: 1 };
  await projectAccount(store, {
    accountId: CALLER.accountId,
    version: 1,
    plan: 'test',
    limit: 1_000_000,
    rate: 1_000_000,
    used: [],
    credentials: [{ name: CALLER.credential, status: 'active' }],
    listsVersion: 0,
    lists: [],
  });
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
  const admission = createAdmission({
    store: { redis: steps, shards: 1 },
    inserts,
    clock: await createRedisClock(steps),
    createBatchId: () => `bat_${randomBytes(8).toString('hex')}`,
    project: async () => {},
    batchMax: 4,
    waitingMax: 100,
  });
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      const id = randomBytes(8).toString('hex');
      const check = { id, email: 'a@b.c', canonical: 'a@b.c', ip: null, normalIp: '', verdict: VERDICT };
      await admission.take({ caller: CALLER, requestId: id, checks: [check] }).then(
        () => acknowledged.push(id),
        () => {},
      );
    }
  });
  await eventually(() => acknowledged.length >= ACKNOWLEDGED, { withinMs: 240_000, everyMs: 1 });
  const killed = server.kill();
  // Checks acknowledged after this line were acknowledged before the power went: the reply was in flight.
  await killed;
  isOver = true;
  await Promise.all(writers);
  steps.disconnect();
  await server.restart();

  const survived = new Set<string>();
  for (const batchId of await redis.lrange(queuedBatchKeys(0)[0] ?? '', 0, -1)) {
    const note = await redis.get(noteKey(0, batchId));
    const job = JSON.parse((await redis.hget(inserts.jobKey(0, batchId), 'data')) ?? '') as CheckLogJob;
    if (note) for (const { check } of grantedChecks(job, readNote(note))) survived.add(check.id);
  }
  const month = new Date().toISOString().slice(0, 7);
  const counted = (await readCounter(store, CALLER.accountId, month, []))?.used ?? 0;
  await inserts.close();
  redis.disconnect();
  await server.stop();
  const lost = acknowledged.filter((id) => !survived.has(id));
  printFigures(`power cut, appendfsync ${appendfsync}`, {
    acknowledged: acknowledged.length,
    lost: lost.length,
  });
  return { acknowledged: acknowledged.length, lost, counted, survived: survived.size };
}
