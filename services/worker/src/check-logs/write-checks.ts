import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { persistTestChecks } from '@verdict/db/checks/persist-test-checks.js';
import type { Database } from '@verdict/db/database/client.js';
import { classifyFailure, sqlStateOf } from '@verdict/db/database/database-failure.js';
import { cappedBackoff } from '@verdict/queues/capped-backoff.js';
import { type DeadLetters, deadLetterId } from '@verdict/queues/dead-letters.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerMetrics } from '../metrics.js';
import { isolatePoison } from './isolate-poison.js';
import type { KeyUsage } from './key-usage.js';
import type { PendingCheck } from './pending-check.js';
import type { QuotaWatch } from './quota-watch.js';
import { retryTransient } from './retry-transient.js';

interface Dependencies {
  readonly db: Database;
  readonly deadLetters: DeadLetters;
  readonly keyUsage: KeyUsage;
  readonly quotaWatch: QuotaWatch;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Persists and counts; a check that Postgres will never take is set aside. */
export function createCheckWriter(dependencies: Dependencies) {
  const { db, deadLetters, keyUsage, quotaWatch, metrics, log, signal } = dependencies;
  const persist = (checks: readonly PendingCheck[]) =>
    retryTransient(
      async () => {
        const end = metrics.statementSeconds.startTimer();
        const tests = rowsOf(checks, true);
        let inserted = await persistChecks(db, rowsOf(checks, false));
        if (tests.length > 0) inserted += await persistTestChecks(db, tests);
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
    const setAside = async ({ row, job, alone }: PendingCheck, error: unknown) => {
      const reason = `Postgres refuses it (${sqlStateOf(error) || (error as Error).message})`;
      const payload = alone();
      await deadLetters.add({
        id: deadLetterId(job.batchId, payload),
        reason,
        logIds: [row.id],
        queuedAtMs: job.queuedAtMs,
        shard: job.shard,
        payload,
      });
      metrics.deadLettered.inc();
      log.error({ logId: row.id, accountId: row.account_id, reason }, 'check set aside as a dead letter');
    };
    await isolatePoison(checks, write, (error) => classifyFailure(error) === 'data', setAside);
    keyUsage.note(written);
    quotaWatch.note(written);
  };
}

const rowsOf = (checks: readonly PendingCheck[], tests: boolean): CheckRow[] =>
  checks.flatMap(({ row, isTest }) => (isTest === tests ? [row] : []));
