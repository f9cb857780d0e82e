import type { Month } from '@verdict/domain/month.js';
import type { AccountMonth } from '@verdict/domain/pricing/price-month.js';
import type { Audit } from '../accounts/audited.js';
import type { Changed } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { type AccountTermsRow, listTerms } from './account-terms.js';
import { readRunningMonth } from './close-month.js';
import { changePlan, findNextPlan, type NextPlan, type PlanChanged, type PlanWish } from './plan-changes.js';
import {
  findLatestPlanRequest,
  type PlanRequestRow,
  requestPlan,
  withdrawPlanRequest,
} from './plan-requests.js';

export function createSubscription(db: Database, accountId: string) {
  return {
    async plan(): Promise<string> {
      const { plan } = await db.account.findUniqueOrThrow({
        where: { id: accountId },
        select: { plan: true },
      });
      return plan;
    },

    /** The plan, and where the customer lets checks stop; null: where the plan does. */
    async limits(): Promise<{ plan: string; checksCap: number | null }> {
      const { plan, spendingLimits } = await db.account.findUniqueOrThrow({
        where: { id: accountId },
        select: { plan: true, spendingLimits: { select: { checksCap: true } } },
      });
      const cap = spendingLimits?.checksCap ?? null;
      return { plan, checksCap: cap === null ? null : Number(cap) };
    },

    /** The plan that begins with the next month, if one does. */
    nextPlan: (): Promise<NextPlan | null> => findNextPlan(db, accountId),

    /** The newest request for a plan, whatever became of it. */
    latestRequest: (): Promise<PlanRequestRow | null> => findLatestPlanRequest(db, accountId),

    /** Prices and discounts agreed with it, oldest first. */
    terms: (): Promise<AccountTermsRow[]> => listTerms(db, accountId),

    /** All that decides what it owes for a month that still runs. */
    runningMonth: (month: Month): Promise<AccountMonth | null> => readRunningMonth(db, month, accountId),

    /** No row when it is the plan already, or will be. */
    changePlan: (wish: PlanWish, audit: Audit): Promise<Changed<PlanChanged>> =>
      changePlan(db, accountId, wish, audit),

    request: (id: string, plan: string, userId: string, audit: Audit): Promise<void> =>
      requestPlan(db, { id, accountId, plan, userId }, audit),

    withdrawRequest: (audit: Audit): Promise<boolean> => withdrawPlanRequest(db, accountId, audit),
  };
}
