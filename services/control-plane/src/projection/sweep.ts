import { type AccountVersion, raiseVersion, readVersionsAfter } from '@verdict/db/accounts/outbox.js';
import { monthOf } from '@verdict/domain/month.js';
import { nextPlanText } from '@verdict/redis-store/project.js';
import { type ProjectedAccount, readAccount } from '@verdict/redis-store/read-account.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { nextPlan, type ProjectionStores, planLimits, trackedThings } from './project-account.js';

interface SweepOptions extends ProjectionStores {
  readonly project: (accountId: string) => Promise<boolean>;
  readonly onHealed: () => void;
  readonly log: Logger;
}

const PAGE_SIZE = 500;

/**
 * Compares every account in Redis with Postgres and returns how many were repaired. The outbox knows what was written
 * but not what was lost, such as by a Redis or Postgres restored from an older copy, or a changed plans file.
 */
export async function sweepOnce(options: SweepOptions): Promise<number> {
  const { db, project, onHealed, log } = options;
  const month = monthOf(new Date());
  let repaired = 0;
  let after = '';
  for (;;) {
    const accounts = await readVersionsAfter(db, after, PAGE_SIZE);
    const present = await Promise.all(accounts.map(({ id }) => readAccount(options, id, month)));
    for (const [i, account] of accounts.entries()) {
      const fault = faultOf(options, account, present[i] ?? null);
      if (!fault) continue;
      // Above both: what is projected next must win.
      if (fault !== 'behind') await raiseVersion(db, account.id, present[i]?.version ?? 0);
      await project(account.id);
      onHealed();
      log.warn({ accountId: account.id, fault }, 'repaired an account in Redis');
      repaired++;
    }
    const last = accounts.at(-1);
    if (!last || accounts.length < PAGE_SIZE) return repaired;
    after = last.id;
  }
}

/** A missing account is fine: the gateway loads it on demand. */
function faultOf(
  { plans }: ProjectionStores,
  account: AccountVersion,
  present: ProjectedAccount | null,
): 'behind' | 'ahead' | 'other limits' | null {
  if (!present) return null;
  if (present.version < account.version) return 'behind';
  if (present.version > account.version) return 'ahead';
  const { limit, rate, remembered, unmetered } = planLimits(plans, account.plan, account.checks_cap);
  const same =
    present.limit === limit &&
    present.rate === rate &&
    present.remembered === remembered &&
    present.unmetered === unmetered &&
    present.tracked === trackedThings(plans, account.plan, account.bursts) &&
    present.next === nextPlanText(nextPlan(plans, account));
  return same ? null : 'other limits';
}
