import { setTimeout as pause } from 'node:timers/promises';
import type { LookUp } from '@verdict/admission/look-up-networks.js';
import type { Database } from '@verdict/db/database/client.js';
import { saveBacktestPage, type TakenBacktest } from '@verdict/db/policies/backtest-queue.js';
import { noResult } from '@verdict/db/policies/backtest-result.js';
import { readChecksAfter } from '@verdict/db/policies/stored-checks.js';
import type { Plans } from '@verdict/domain/plans.js';
import { countChecks } from './count-checks.js';
import type { PolicyRules } from './policy-rules.js';

export interface BacktestDependencies {
  readonly db: Database;
  readonly policyRules: PolicyRules;
  readonly plans: Plans;
  /** Null without a scoring service. */
  readonly lookUp: LookUp | null;
  /** Checks of a page; memory holds one page. */
  readonly pageMax: number;
}

const DAY_MS = 86_400_000;
const RESTS = 4;

/**
 * Judges stored checks page by page until the last one, or until `isOver` says so. Rests after a page four times as
 * long as it took: the checks of every customer share the same cores. False when it is not at its end.
 */
export async function runBacktest(
  { db, policyRules, plans, lookUp, pageMax }: BacktestDependencies,
  taken: TakenBacktest,
  isOver: () => boolean,
): Promise<boolean> {
  const policy = await policyRules(taken.account_id, taken.version);
  if (!policy) throw new Error(`version ${taken.version} of the policy is not in Postgres`);
  const expiredBefore = Date.now() - (plans.get(taken.plan)?.retentionDays ?? 0) * DAY_MS;
  const { account_id, to } = taken;
  const judging = { policy, expiredBefore, asksIps: taken.ip_intelligence, lookUp };
  let cursor = taken.cursor;
  let result = taken.result ?? noResult();
  while (!isOver()) {
    const begun = performance.now();
    const checks = await readChecksAfter(db, account_id, { after: cursor, before: to, countMax: pageMax });
    result = await countChecks(result, checks, judging);
    const last = checks.at(-1);
    cursor = last ? { at: last.created_at, id: last.id } : cursor;
    const isLast = checks.length < pageMax;
    const isSaved = await saveBacktestPage(db, taken, { cursor, checks: checks.length, result, isLast });
    if (isLast || !isSaved) return true;
    await pause(RESTS * (performance.now() - begun));
  }
  return false;
}
