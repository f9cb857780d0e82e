import { tellOfQuotas } from '@verdict/db/billing/quota-events.js';
import type { Database } from '@verdict/db/database/client.js';
import { monthOfCreatedAt } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import type { PendingCheck } from './pending-check.js';

export type QuotaWatch = ReturnType<typeof createQuotaWatch>;

/**
 * Accounts with new usage, checked together every few seconds instead of with every statement. The scheduled task that
 * checks all accounts covers a worker that dies.
 */
export function createQuotaWatch(db: Database, plans: Plans) {
  let byMonth = new Map<string, Set<string>>();
  return {
    note(checks: readonly PendingCheck[]) {
      for (const { row } of checks) {
        const month = monthOfCreatedAt(row.created_at);
        const accounts = byMonth.get(month);
        if (accounts) accounts.add(row.account_id);
        else byMonth.set(month, new Set([row.account_id]));
      }
    },
    /** Sends quota events for thresholds reached since the last time. */
    async flush() {
      const noted = byMonth;
      byMonth = new Map();
      for (const [month, accounts] of noted) await tellOfQuotas(db, plans, month, [...accounts]);
    },
  };
}
