import { resultsWithoutLog } from '@verdict/db/billing/results-without-log.js';
import type { Hours, UsageDifference } from '@verdict/db/billing/usage-differences.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import { readCounter } from '@verdict/redis-store/counters.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import type { Metering } from './metering.js';
import { queuedChecks } from './queued-checks.js';
import { setAsideChecks } from './set-aside-checks.js';

/**
 * Accounts whose files show results of checks that are in no log, queue or dead letter. Named and never repaired: a result
 * has no factors, datasets or rule, so a row made from it would not be the row that was lost.
 */
export async function resultDifferences(
  metering: Metering,
  month: string,
  hours: Hours,
): Promise<UsageDifference[]> {
  const { db } = metering;
  const first = await resultsWithoutLog(db, hours);
  const unstored = new Map<string, ReadonlySet<string> | null>();
  const gone = new Set<string>();
  for (const { accountId, logId } of first) {
    if (!unstored.has(accountId)) {
      unstored.set(accountId, await unstoredChecks(metering, accountId, month));
    }
    if (unstored.get(accountId)?.has(logId) === false) gone.add(logId);
  }
  const lost = new Map<string, number>();
  // A check that leaves the queue between the two looks has its row by the second.
  for (const { accountId, logId } of gone.size > 0 ? await resultsWithoutLog(db, hours) : []) {
    if (gone.has(logId)) lost.set(accountId, (lost.get(accountId) ?? 0) + 1);
  }
  return [...lost].map(([accountId, expected]) => ({ accountId, expected, found: 0 }));
}

/** The checks of an account that are queued or dead letters; null when Redis cannot tell. */
async function unstoredChecks(
  metering: Metering,
  accountId: string,
  month: string,
): Promise<ReadonlySet<string> | null> {
  const shard = shardOf(accountId, metering.shards);
  // Before the queue and after it: a letter that is queued again meanwhile is in one of the two.
  const before = await setAsideChecks(metering, accountId);
  const view = await readCounter(metering, accountId, month, queuedBatchKeys(shard));
  if (!view?.batchIds) return null;
  const queued = await queuedChecks(metering, accountId, shard, view.batchIds);
  const after = await setAsideChecks(metering, accountId);
  return new Set([...before.keys(), ...queued.keys(), ...after.keys()]);
}
