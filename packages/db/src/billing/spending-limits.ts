import type { Audit } from '../accounts/audited.js';
import { type Changed, changeAccount } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

const SpendingLimits = columnsOf('spendingLimits');
export type SpendingLimits = RowOf<typeof SpendingLimits>;

const SHOWN = Prisma.sql`checks_cap::float8 AS checks_cap, mail_at`;

export function createSpendingLimits(db: Database, accountId: string) {
  return {
    async read(): Promise<SpendingLimits> {
      const rows = await rowsOf(db, SpendingLimits)`
        SELECT ${SHOWN} FROM spending_limits WHERE account_id = ${accountId}`;
      return rows[0] ?? { checks_cap: null, mail_at: [] };
    },

    set({ checks_cap, mail_at }: SpendingLimits, audit: Audit): Promise<Changed<SpendingLimits>> {
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          INSERT INTO spending_limits (account_id, checks_cap, mail_at)
          VALUES (${accountId}, ${checks_cap}::bigint, ${[...mail_at]}::int[])
          ON CONFLICT (account_id) DO UPDATE SET checks_cap = excluded.checks_cap, mail_at = excluded.mail_at
          RETURNING ${SHOWN}`,
        returns: SpendingLimits,
        audit,
      });
    },
  };
}
