import { packCheckLogs } from '@verdict/contracts/pack-check-logs.js';
import type { Database } from '@verdict/db/client.js';
import { classifyFailure, sqlStateOf } from '@verdict/db/database-failure.js';
import { persistChecks } from '@verdict/db/persist-checks.js';
import { cappedBackoff } from '@verdict/queues/capped-backoff.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { settle } from '@verdict/redis-store/reservations.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { isolatePoison } from './isolate-poison.js';
import type { KeyUsage } from './key-usage.js';
import type { WorkerMetrics } from './metrics.js';
import type { PendingCheck } from './pending-check.js';
import { retryTransient } from './retry-transient.js';

interface Dependencies {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly deadLetters: DeadLetters;
  readonly keyUsage: KeyUsage;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Persists and counts, then drops the reservations. Dying between the two leaves reservations whose rows exist: the
 * job comes again, inserts nothing and settles them.
 */
export function createCheckWriter({ db, redis, deadLetters, keyUsage, metrics, log, signal }: Dependencies) {
  const persist = (checks: readonly PendingCheck[]) =>
    retryTransient(
      async () => {
        const end = metrics.statementSeconds.startTimer();
        const inserted = await persistChecks(
          db,
          checks.map(({ row }) => row),
        );
        end();
        metrics.persisted.inc(inserted);
        metrics.duplicates.inc(checks.length - inserted);
      },
      {
        isTransient: (error) => classifyFailure(error) === 'transient',
        pauseMs: (attempt) => cappedBackoff(attempt, Math.random),
        onRetry(error, attempt) {
          metrics.retries.inc();
          log.warn(
            { attempt, sqlState: sqlStateOf(error), checks: checks.length },
            'persisting will be tried again',
          );
        },
        signal,
      },
    );

  return async (checks: readonly PendingCheck[]): Promise<void> => {
    const written: PendingCheck[] = [];
    const write = async (part: readonly PendingCheck[]) => {
      await persist(part);
      written.push(...part);
    };
    const setAside = async ({ log: payload, jobId, queuedAtMs }: PendingCheck, error: unknown) => {
      const reason = `Postgres refuses it (${sqlStateOf(error) || (error as Error).message})`;
      await deadLetters.add({
        id: `${jobId}-${payload.id}`,
        reason,
        logIds: [payload.id],
        queuedAtMs,
        payload: packCheckLogs([payload]),
      });
      metrics.deadLettered.inc();
      log.error(
        { logId: payload.id, accountId: payload.account_id, reason },
        'check set aside as a dead letter',
      );
    };
    await isolatePoison(checks, write, (error) => classifyFailure(error) === 'data', setAside);
    await settle(redis, byAccount(written));
    keyUsage.note(written);
  };
}

function byAccount(checks: readonly PendingCheck[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { row } of checks) {
    const logIds = found.get(row.account_id);
    if (logIds) logIds.push(row.id);
    else found.set(row.account_id, [row.id]);
  }
  return found;
}
