import { readBacklog } from '@verdict/queues/backlog.js';
import type { CheckLogConsumer } from '@verdict/queues/check-log-consumer.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import type { WorkerMetrics } from '../metrics.js';
import { createWatchdog } from './watchdog.js';

interface Dependencies {
  /** Not the consumer's own: one that hangs must not blind who watches it. */
  readonly redis: RedisConnection;
  readonly shards: number;
  readonly consumer: CheckLogConsumer;
  readonly metrics: WorkerMetrics;
  /** Called when the consumer is beyond help. */
  readonly onWedged: () => void;
}

/** Longer than a statement may take, so that one which waits for a lock has ended, one way or the other. */
export const SILENCE_MAX_MS = 60_000;

/** One look at whether the consumer still does anything while there is something to do. */
export function createConsumerWatch({ redis, shards, consumer, metrics, onWedged }: Dependencies) {
  const isWedged = createWatchdog(SILENCE_MAX_MS);
  return async (): Promise<void> => {
    const [waiting, attempts, retries] = await Promise.all([
      readBacklog(redis, shards).then(
        (backlog) => backlog.waiting,
        () => null,
      ),
      metrics.statementSeconds.get(),
      metrics.retries.get(),
    ]);
    const sum = ({ values }: { values: readonly { value: number; metricName?: string }[] }, name?: string) =>
      values
        .filter(({ metricName }) => name === undefined || metricName === name)
        .reduce((total, { value }) => total + value, 0);
    const signsOfLife = consumer.finished() + sum(attempts, 'verdict_persist_seconds_count') + sum(retries);
    if (isWedged({ waiting, signsOfLife }, performance.now())) onWedged();
  };
}
