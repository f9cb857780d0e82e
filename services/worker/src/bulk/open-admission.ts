import { randomFillSync } from 'node:crypto';
import { createAdmission } from '@verdict/admission/admission.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { createReplicaWait } from '@verdict/redis-store/replica-wait.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import type { WorkerConfig } from '../config.js';
import { createAccountProjector } from './account-projector.js';

/** Chunks are separate submissions; few look concurrently. */
const LIMITS = { batchMax: 64, waitingMax: 1_000 };

/** The step of every check, on a separate connection. */
export async function openAdmission(config: WorkerConfig, onError: (error: Error) => void) {
  const redis = connectForRequests(redisTarget(config), 'verdict-worker-steps');
  redis.on('error', onError);
  await openRedis(redis);
  const shards = config.REDIS_SHARDS;
  const inserts = await createCheckLogInserts({ connection: redis, shards, onError });
  const clock = await createRedisClock(redis);
  const createId = createIdFactory(Date.now, randomFillSync);
  const { REDIS_WAIT_REPLICAS: replicas, REDIS_WAIT_MS: timeoutMs } = config;
  const admission = createAdmission({
    ...LIMITS,
    store: { redis, shards },
    inserts,
    clock,
    createBatchId: () => createId('bat'),
    confirm: replicas === 0 ? undefined : createReplicaWait(redis, { replicas, timeoutMs }),
    project: createAccountProjector(config),
  });
  return {
    admission,
    clock,
    async close() {
      await admission.drained();
      await inserts.close();
      redis.disconnect();
    },
  };
}
