import type { ListedValue } from '@verdict/domain/account-list.js';
import type { Audit } from '../accounts/audited.js';
import { type Changed, changeAccount } from '../accounts/change-account.js';
import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

export interface ListEntryRow {
  id: string;
  list: ListedValue['list'];
  kind: ListedValue['kind'];
  value: string;
  note: string | null;
  created_at: string;
}

export interface NewListEntry {
  readonly id: string;
  readonly kind: ListEntryRow['kind'];
  readonly value: string;
  readonly note: string | null;
}

const SHOWN = Prisma.sql`id, list, kind, value, note, ${timestampText('list_entries.created_at')} AS created_at`;

/** The allow and block entries of one account. */
export function createListEntries(db: Database, accountId: string) {
  const onList = (list: string) => Prisma.sql`account_id = ${accountId} AND list = ${list}`;

  return {
    /** Newest first, those before a position. */
    page(
      list: string,
      query: { before: { createdAt: string; id: string } | null; beginsWith?: string; countMax: number },
    ): Promise<ListEntryRow[]> {
      const older = query.before
        ? Prisma.sql`AND (list_entries.created_at, id) < (${query.before.createdAt}::timestamptz, ${query.before.id})`
        : Prisma.empty;
      const matching =
        query.beginsWith === undefined
          ? Prisma.empty
          : Prisma.sql`AND starts_with(value, ${query.beginsWith})`;
      return db.$queryRaw<ListEntryRow[]>`
        SELECT ${SHOWN} FROM list_entries WHERE ${onList(list)} ${older} ${matching}
        ORDER BY list_entries.created_at DESC, id DESC LIMIT ${query.countMax}`;
    },

    async count(list: string): Promise<number> {
      return db.listEntry.count({ where: { accountId, list } });
    },

    /** Where these values stand now, on either list. */
    async standing(values: readonly string[]): Promise<Map<string, ListEntryRow['list']>> {
      const rows = await db.listEntry.findMany({
        where: { accountId, value: { in: [...values] } },
        select: { value: true, list: true },
      });
      return new Map(rows.map(({ value, list }) => [value, list as ListEntryRow['list']]));
    },

    /** The entries of either list with one of these values. */
    naming(values: readonly string[]): Promise<ListEntryRow[]> {
      return db.$queryRaw<ListEntryRow[]>`
        SELECT ${SHOWN} FROM list_entries
        WHERE account_id = ${accountId} AND value = ANY(${[...values]}::text[]) ORDER BY kind, value`;
    },

    /**
     * Adds entries that are on neither list, or none if the list would exceed its limit. The account's lock keeps two
     * imports from both taking the last place.
     */
    add(
      list: string,
      entries: readonly NewListEntry[],
      entriesMax: number,
      audit: Audit,
    ): Promise<Changed<ListEntryRow>> {
      return changeAccount(db, {
        accountId,
        lists: true,
        change: Prisma.sql`
          INSERT INTO list_entries (id, account_id, list, kind, value, note)
          SELECT e.id, ${accountId}, ${list}, e.kind, e.value, e.note
          FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e(id text, kind text, value text, note text)
          WHERE (SELECT count(*) FROM list_entries WHERE ${onList(list)})
              + (SELECT count(*) FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS n(value text)
                 WHERE NOT EXISTS (SELECT 1 FROM list_entries p
                                   WHERE p.account_id = ${accountId} AND p.value = n.value)) <= ${entriesMax}
          ON CONFLICT (account_id, value) DO NOTHING
          RETURNING ${SHOWN}`,
        audit,
      });
    },

    /** No row when there is no such entry on this list. */
    remove(list: string, id: string, audit: Audit): Promise<Changed<ListEntryRow>> {
      return changeAccount(db, {
        accountId,
        lists: true,
        change: Prisma.sql`DELETE FROM list_entries WHERE id = ${id} AND ${onList(list)} RETURNING ${SHOWN}`,
        audit,
      });
    },
  };
}
