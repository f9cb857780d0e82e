import { recordCorrection, withdrawCorrection } from '@verdict/db/billing/counter-corrections.js';
import { monthUsage, type UsageDifference } from '@verdict/db/billing/usage-differences.js';
import { checksAt } from '@verdict/db/checks/checks-at.js';
import { monthOf } from '@verdict/domain/month.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import { type CounterView, readCounter, repairCounter } from '@verdict/redis-store/counters.js';
import { knownAccounts } from '@verdict/redis-store/known-accounts.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import type { Metering } from './metering.js';
import { type CheckMoments, queuedChecks } from './queued-checks.js';
import { setAsideChecks } from './set-aside-checks.js';

/** An account that keeps moving is looked at this often before it is judged by bounds. */
const LOOKS_MAX = 5;

/** Accounts whose Redis counter is not what was persisted plus what is queued. */
export async function counterDifferences(metering: Metering, month: string): Promise<UsageDifference[]> {
  const { db, redis } = metering;
  const isRunning = month === monthOf(new Date(await redisNow(redis)));
  const persisted = await monthUsage(db, month);
  const differences: UsageDifference[] = [];
  for await (const accountId of knownAccounts(redis)) {
    const view = await readCounter(metering, accountId, month, []);
    // A past month without a count is one that this Redis never saw; in the running month it would be a free one.
    if (!view || (view.used === null && !isRunning)) continue;
    // Most accounts are quiet and right: the careful look is for the others.
    if ((view.used ?? 0) === (persisted.get(accountId) ?? 0)) continue;
    const judged = await judge(metering, accountId, month);
    if (judged && judged.right !== judged.used) {
      differences.push({ accountId, expected: judged.right, found: judged.used });
    }
  }
  return differences;
}

export interface Repairing {
  readonly madeBy: 'worker' | 'operator';
  /** A counter above the rows is the only trace of checks that were lost: only a person gives it up. */
  readonly mayLower: boolean;
}

/** Sets the counters right, each with a row that says so; returns the accounts for which that worked. */
export async function repairCounters(
  metering: Metering,
  month: string,
  differences: readonly UsageDifference[],
  { madeBy, mayLower }: Repairing,
): Promise<Set<string>> {
  const { db } = metering;
  const repaired = new Set<string>();
  for (const { accountId } of differences) {
    for (let look = 0; look < LOOKS_MAX && !repaired.has(accountId); look++) {
      const judged = await judge(metering, accountId, month);
      if (!judged || judged.right === judged.used || (judged.right < judged.used && !mayLower)) break;
      const { view, used: from, right: to } = judged;
      const id = await recordCorrection(db, { accountId, month, from, to, madeBy });
      if (await repairCounter(metering, accountId, month, view, to)) repaired.add(accountId);
      else await withdrawCorrection(db, id);
    }
  }
  return repaired;
}

interface Judged {
  readonly view: CounterView;
  readonly used: number;
  readonly right: number;
}

/**
 * The counter as it is and as it should be: stored, plus granted without a row, in the queue or among the dead
 * letters. Exact if nothing was stored between the two looks at Postgres; otherwise only a counter below the stored
 * checks counts as wrong.
 */
async function judge(metering: Metering, accountId: string, month: string): Promise<Judged | null> {
  const { db, shards } = metering;
  const shard = shardOf(accountId, shards);
  for (let look = 1; ; look++) {
    const before = await persistedOf();
    // Before the queue and after it: a letter that is queued again meanwhile is in one of the two.
    const setAside = await setAsideChecks(metering, accountId);
    const view = await readCounter(metering, accountId, month, queuedBatchKeys(shard));
    if (!view) return null;
    const used = view.used ?? 0;
    const waiting = view.batchIds && (await withoutRow(view.batchIds, setAside));
    const after = await persistedOf();
    if (waiting !== null && before === after) return { view, used, right: after + waiting };
    if (waiting === null || look === LOOKS_MAX) return { view, used, right: Math.max(used, before) };
  }

  async function persistedOf(): Promise<number> {
    return (await monthUsage(db, month, [accountId])).get(accountId) ?? 0;
  }

  async function withoutRow(batchIds: readonly string[], setAside: CheckMoments): Promise<number> {
    const moments = new Map([
      ...setAside,
      ...(await queuedChecks(metering, accountId, shard, batchIds)),
      ...(await setAsideChecks(metering, accountId)),
    ]);
    const counts = new Map<number, number>();
    for (const micros of moments.values()) {
      if (monthOf(new Date(micros / 1000)) === month) counts.set(micros, (counts.get(micros) ?? 0) + 1);
    }
    const rows = await checksAt(db, accountId, [...counts.keys()]);
    return [...counts].reduce(
      (sum, [micros, count]) => sum + Math.max(0, count - (rows.get(micros) ?? 0)),
      0,
    );
  }
}
