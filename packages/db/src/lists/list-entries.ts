import type { ListedValue } from '@verdict/domain/account-list.js';
import { LIST_KINDS, LIST_MATCHINGS, LIST_NAMES } from '@verdict/domain/account-list.js';
import type { Audit } from '../accounts/audited.js';
import { type Changed, changeAccount } from '../accounts/change-account.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { columnsOf, nullable, oneOf, type RowOf, type Shape, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** A value on a list, as the projection carries it too. */
export const LISTED: Shape<ListedValue> = {
  list: oneOf(...LIST_NAMES),
  kind: oneOf(...LIST_KINDS),
  match: oneOf(...LIST_MATCHINGS),
  value: text,
  expires_at: nullable(text),
};

const ListEntryRow = columnsOf('listEntry');
export type ListEntryRow = RowOf<typeof ListEntryRow>;

export type NewListEntry = Omit<ListEntryRow, 'list' | 'created_at'>;

const SHOWN = Prisma.sql`id, list, kind, match, value, note, ${timestampText('list_entries.expires_at')} AS expires_at,
  ${timestampText('list_entries.created_at')} AS created_at`;
const IN_EFFECT = Prisma.sql`(expires_at IS NULL OR expires_at > now())`;

/** Characters that the values of a list may have together: Redis keeps them, and most addresses have 25. */
export const listCharactersMax = (entriesMax: number): number => 64 * entriesMax;

/** An expired entry is shown for this long. */
const SHOWN_DAYS = 30;

/** Deletes entries that expired long ago. The step has ignored them since, so nothing is projected. */
export const deleteExpiredEntries = (db: Database): Promise<number> =>
  db.$executeRaw`DELETE FROM list_entries WHERE expires_at < now() - make_interval(days => ${SHOWN_DAYS}::int)`;

/** The values of a check that an entry may name. */
export interface CheckNames {
  /** The address, its domain, each parent, the IP. */
  readonly values: readonly string[];
  /** Its mail servers and each parent of theirs. */
  readonly servers: readonly string[];
  readonly mailbox: string | null;
  readonly ip: string | null;
}

/** The allow and block entries of one account. */
export function createListEntries(db: Database, accountId: string) {
  const onList = (list: string) => Prisma.sql`account_id = ${accountId} AND list = ${list}`;

  return {
    /** Newest first, those before a position. */
    page(
      list: string,
      { before, beginsWith, countMax }: { before: Position | null; beginsWith?: string; countMax: number },
    ): Promise<ListEntryRow[]> {
      const chosen = allOf(
        onList(list),
        before && isBefore(before, 'list_entries'),
        beginsWith !== undefined && Prisma.sql`starts_with(value, ${beginsWith})`,
      );
      return rowsOf(db, ListEntryRow)`
        SELECT ${SHOWN} FROM list_entries WHERE ${chosen}
        ORDER BY list_entries.created_at DESC, id DESC LIMIT ${countMax}`;
    },

    async count(list: string): Promise<number> {
      return db.listEntry.count({ where: { accountId, list } });
    },

    /** Prefix lengths of networks on either list, as prefixLength writes them. */
    async prefixLengths(): Promise<Set<string>> {
      const rows = await rowsOf(db, { length: text })`
        SELECT DISTINCT family(value::inet) || '/' || masklen(value::inet) AS length
        FROM list_entries WHERE account_id = ${accountId} AND kind = 'network'`;
      return new Set(rows.map(({ length }) => length));
    },

    /** Entries in effect on either list with one of these values. */
    standing(values: readonly string[]): Promise<ListEntryRow[]> {
      return rowsOf(db, ListEntryRow)`
        SELECT ${SHOWN} FROM list_entries
        WHERE account_id = ${accountId} AND value = ANY(${[...values]}::text[]) AND ${IN_EFFECT}`;
    },

    /** Entries in effect on either list that name a check. */
    naming({ values, servers, mailbox, ip }: CheckNames): Promise<ListEntryRow[]> {
      return rowsOf(db, ListEntryRow)`
        SELECT ${SHOWN} FROM list_entries
        WHERE account_id = ${accountId} AND ${IN_EFFECT} AND CASE
          WHEN kind = 'network' THEN ${ip}::inet <<= value::inet
          WHEN match = 'mailbox' THEN value = ${mailbox}
          WHEN match = 'mx' THEN value = ANY(${[...servers]}::text[])
          ELSE value = ANY(${[...values]}::text[]) END
        ORDER BY kind, value`;
    },

    /** All entries in effect on either list. */
    inEffect(): Promise<ListEntryRow[]> {
      return rowsOf(db, ListEntryRow)`
        SELECT ${SHOWN} FROM list_entries WHERE account_id = ${accountId} AND ${IN_EFFECT}`;
    },

    /**
     * Adds entries that are on neither list, or none if the list would exceed its limit of entries or of characters. The
     * account's lock keeps two imports from both taking the last place.
     */
    add(
      list: string,
      entries: readonly NewListEntry[],
      entriesMax: number,
      audit: Audit,
    ): Promise<Changed<ListEntryRow>> {
      const input = Prisma.sql`jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        AS e(id text, kind text, match text, value text, note text, expires_at timestamptz)`;
      return changeAccount(db, {
        accountId,
        lists: true,
        // An expired entry gives way to a new one.
        before: [
          Prisma.sql`
            DELETE FROM list_entries USING ${input} WHERE account_id = ${accountId} AND list_entries.expires_at <= now()
              AND list_entries.value = e.value AND list_entries.match = e.match`,
        ],
        change: insertNew(accountId, list, input, entriesMax),
        returns: ListEntryRow,
        audit,
      });
    },

    /** No row when there is no such entry on this list. */
    remove(list: string, id: string, audit: Audit): Promise<Changed<ListEntryRow>> {
      return changeAccount(db, {
        accountId,
        lists: true,
        change: Prisma.sql`DELETE FROM list_entries WHERE id = ${id} AND ${onList(list)} RETURNING ${SHOWN}`,
        returns: ListEntryRow,
        audit,
      });
    },
  };
}

/** Entries of `input`, called e, that are on neither list: all of them, or none where the list would be too large. */
const insertNew = (accountId: string, list: string, input: Prisma.Sql, entriesMax: number): Prisma.Sql => {
  const onList = Prisma.sql`account_id = ${accountId} AND list = ${list}`;
  return Prisma.sql`
    INSERT INTO list_entries (id, account_id, list, kind, match, value, note, expires_at)
    SELECT e.id, ${accountId}, ${list}, e.kind, e.match, e.value, e.note, e.expires_at FROM ${input}
    WHERE (SELECT count(*) FROM list_entries WHERE ${onList})
        + (SELECT count(*) FROM ${input}
           WHERE NOT EXISTS (SELECT 1 FROM list_entries p WHERE p.account_id = ${accountId}
                             AND p.value = e.value AND p.match = e.match)) <= ${entriesMax}
      AND (SELECT coalesce(sum(length(value)), 0) FROM list_entries WHERE ${onList})
        + (SELECT sum(length(e.value)) FROM ${input}) <= ${listCharactersMax(entriesMax)}
    ON CONFLICT (account_id, value, match) DO NOTHING
    RETURNING ${SHOWN}`;
};
