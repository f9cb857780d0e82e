import type { Audit } from './audited.js';
import { type Changed, changeAccount } from './change-account.js';
import type { Database } from './client.js';
import { Prisma } from './generated/client.js';

export type Subscription = ReturnType<typeof createSubscription>;

export function createSubscription(db: Database, accountId: string) {
  return {
    async plan(): Promise<string> {
      const { plan } = await db.account.findUniqueOrThrow({
        where: { id: accountId },
        select: { plan: true },
      });
      return plan;
    },

    /** No row when it is the plan already. */
    changePlan(plan: string, audit: Audit): Promise<Changed<{ plan: string }>> {
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE accounts SET plan = ${plan} WHERE id = ${accountId} AND plan <> ${plan} RETURNING plan`,
        audit,
      });
    },
  };
}
