import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { startCheckLoad } from '../harness/check-load.js';
import { cpuOf } from './cpu-of.js';

const PLANS = { free: { checks_per_month: 1e9, checks_per_second: 1e6, retention_days: 30 } };
const ROUNDS = 5;
const ROUND_MS = 2_000;
const UNPACED = 1e9;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** A measurement, not a guarantee: `npm run test:cluster` prints it, other runs leave it out. */
const skip = process.env.MEASURE_WAIT ? false : 'npm run test:cluster measures it';

t.test('what REDIS_WAIT_REPLICAS=1 costs', { skip }, async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-wait-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'plans.json'), JSON.stringify(PLANS));
  const cluster = await startRedisCluster();
  t.teardown(() => cluster.stop());
  const stack = await startStack({
    workers: 0,
    env: {
      all: {
        PLANS_FILE: join(directory, 'plans.json'),
        REDIS_CLUSTER: cluster.nodes,
        REDIS_SHARDS: 6,
      },
    },
  });
  t.teardown(() => stack.stop());
  // Two gateways on one stack, asked in turn: whatever else the machine does befalls both.
  const waiting = await startService('gateway', { ...stack.environments.gateway, REDIS_WAIT_REPLICAS: 1 });
  t.teardown(() => waiting.stop());
  const nodes = [...cluster.masters, ...cluster.replicas].map(({ pid }) => pid);
  const gateways = stack.gateways.concat(waiting);

  for (const connections of [1, 16, 64]) {
    const rounds = gateways.map(() => ({ p50: [], rate: [], gateway: [], redis: [] }) as Rounds);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, gateway] of gateways.entries()) {
        const pids = [[gateway.pid], nodes];
        const before = pids.map(cpuOfAll);
        const load = startCheckLoad({
          baseUrls: [`${gateway.url}/api/v1/`],
          apiKey: stack.apiKey,
          connections,
          perSecond: UNPACED,
        });
        await pause(ROUND_MS);
        const result = await load.stop();
        t.equal(result.accepted.length, result.attempts, 'every check was answered');
        const [own = 0, redis = 0] = pids.map((group, i) => cpuOfAll(group) - (before[i] ?? 0));
        const figures = rounds[index];
        figures?.p50.push(result.p50);
        figures?.rate.push(result.attempts / result.seconds);
        figures?.gateway.push(own / result.attempts);
        figures?.redis.push(redis / result.attempts);
      }
    }
    for (const [replicas, figures] of rounds.entries()) {
      t.comment(
        `${connections} connections, REDIS_WAIT_REPLICAS=${replicas}: p50 ${median(figures.p50)} ms, ` +
          `${Math.round(median(figures.rate))} checks/s, CPU per check: gateway ${Math.round(median(figures.gateway))} us, ` +
          `six Redis ${Math.round(median(figures.redis))} us`,
      );
    }
  }
});

type Rounds = Record<'p50' | 'rate' | 'gateway' | 'redis', number[]>;

const cpuOfAll = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + (cpuOf(pid) ?? 0), 0);
