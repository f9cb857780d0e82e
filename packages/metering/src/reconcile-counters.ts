import { existingChecks } from '@verdict/db/existing-checks.js';
import { monthUsage, type UsageDifference } from '@verdict/db/usage-differences.js';
import { monthOf } from '@verdict/domain/month.js';
import { type CounterView, readCounter, repairCounter } from '@verdict/redis-store/counters.js';
import { knownAccounts } from '@verdict/redis-store/scan-accounts.js';
import type { Metering } from './metering.js';
import { redisNow } from './redis-now.js';

/** An account that keeps moving is looked at this often before it is judged by bounds. */
const LOOKS_MAX = 5;

/** Accounts whose Redis counter is not what was persisted plus what is on its way. */
export async function counterDifferences(metering: Metering, month: string): Promise<UsageDifference[]> {
  const { db, redis } = metering;
  const isRunning = month === monthOf(new Date(await redisNow(redis)));
  const persisted = await monthUsage(db, month);
  const differences: UsageDifference[] = [];
  for await (const accountId of knownAccounts(redis)) {
    const view = await readCounter(redis, accountId, month);
    // A past month without a count is one that this Redis never saw; in the running month it would be a free one.
    if (!view || (view.used === null && !isRunning)) continue;
    // Most accounts are quiet and right: the careful look is for the others.
    if ((view.used ?? 0) === (persisted.get(accountId) ?? 0) && view.reservations.length === 0) continue;
    const judged = await judge(metering, accountId, month);
    if (judged && judged.right !== judged.used) {
      differences.push({ accountId, expected: judged.right, found: judged.used });
    }
  }
  return differences;
}

/** Sets the counters right; returns the accounts for which that worked. */
export async function repairCounters(
  metering: Metering,
  month: string,
  differences: readonly UsageDifference[],
): Promise<Set<string>> {
  const repaired = new Set<string>();
  for (const { accountId } of differences) {
    for (let look = 0; look < LOOKS_MAX && !repaired.has(accountId); look++) {
      const judged = await judge(metering, accountId, month);
      if (!judged) break;
      if (await repairCounter(metering.redis, accountId, month, judged.view, judged.right)) {
        repaired.add(accountId);
      }
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
 * What the counter is and what it should be: persisted plus reserved without a row. Exact when nothing was persisted
 * between the two looks at Postgres. If that never happens the account is too busy for an exact word, and only what is
 * outside the possible bounds counts as wrong.
 */
async function judge({ db, redis }: Metering, accountId: string, month: string): Promise<Judged | null> {
  for (let look = 1; ; look++) {
    const before = await persistedOf();
    const view = await readCounter(redis, accountId, month);
    if (!view) return null;
    const withRow = await existingChecks(db, view.reservations);
    const after = await persistedOf();
    const used = view.used ?? 0;
    if (before === after) return { view, used, right: after + view.reservations.length - withRow.size };
    if (look < LOOKS_MAX) continue;
    const right = Math.min(Math.max(used, before), after + view.reservations.length);
    return { view, used, right };
  }

  async function persistedOf(): Promise<number> {
    return (await monthUsage(db, month, [accountId])).get(accountId) ?? 0;
  }
}
