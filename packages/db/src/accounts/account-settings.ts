import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import type { Audit } from './audited.js';
import { type Changed, changeAccount } from './change-account.js';

/** The switches of an account. */
const AccountSettings = columnsOf('accountSettings');
export type AccountSettings = RowOf<typeof AccountSettings>;

const COLUMNS = Prisma.sql`bursts, burst_mails, ip_intelligence`;

export function createAccountSettings(db: Database, accountId: string) {
  return {
    async read(): Promise<AccountSettings> {
      const rows = await rowsOf(db, AccountSettings)`
        SELECT ${COLUMNS} FROM accounts WHERE id = ${accountId}`;
      return rows[0] as AccountSettings;
    },

    /** No row, and nothing audited, when everything is set that way already. */
    change(
      {
        bursts = null,
        burst_mails = null,
        ip_intelligence = null,
      }: Partial<Record<keyof AccountSettings, boolean | null>>,
      audit: Audit,
    ): Promise<Changed<AccountSettings>> {
      const wanted = Prisma.sql`coalesce(${bursts}::boolean, bursts),
        coalesce(${burst_mails}::boolean, burst_mails), coalesce(${ip_intelligence}::boolean, ip_intelligence)`;
      return changeAccount(db, {
        accountId,
        change: Prisma.sql`
          UPDATE accounts SET (${COLUMNS}) = ROW(${wanted})
          WHERE id = ${accountId} AND (${COLUMNS}) IS DISTINCT FROM (${wanted})
          RETURNING ${COLUMNS}`,
        returns: AccountSettings,
        audit,
      });
    },
  };
}
