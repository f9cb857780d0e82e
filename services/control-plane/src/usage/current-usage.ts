import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { type Plans, stopsAt } from '@verdict/domain/plans.js';
import { readAccount } from '@verdict/redis-store/read-account.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { limitsOf } from '../projection/project-account.js';

interface UsageSources extends AccountStore {
  readonly plans: Plans;
  readonly project: (accountId: string) => Promise<boolean>;
}

/** The running month as the step sees it: the counter that decides, not the rollup that follows it. */
export async function currentUsage(
  sources: UsageSources,
  accountId: string,
  { plan, checksCap }: { readonly plan: string; readonly checksCap: number | null },
) {
  const { plans, project } = sources;
  const month = monthOf(new Date());
  let account = await readAccount(sources, accountId, month);
  if (!account && (await project(accountId))) account = await readAccount(sources, accountId, month);
  const checks_used = account?.used ?? 0;
  const checks_limit = stopsAt(limitsOf(plans, plan), checksCap);
  const { start, end } = monthBounds(month);
  return {
    plan,
    period: { start: start.toISOString(), end: end.toISOString() },
    checks_used,
    checks_limit,
    checks_remaining: Math.max(0, checks_limit - checks_used),
    resets_at: monthBounds(addMonths(month, 1)).start.toISOString(),
  };
}
