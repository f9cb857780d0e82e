import type { KeyMode } from '@verdict/domain/key-words.js';
import { CommonIp } from '../accounts/own-proxies.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { asStored } from '../facts/as-stored.js';
import type { FactsRow } from '../facts/facts-row.js';
import { isArchived } from '../facts/is-archived.js';
import { Prisma } from '../generated/client.js';
import { WORDS_OF } from '../outcomes/outcome-of.js';
import { SAME_CHECK } from './same-check.js';
import { CHECK_TABLES, shownCheck } from './shown-check.js';

const LogDetailRow = columnsOf('logDetail');
export type LogDetailRow = RowOf<typeof LogDetailRow>;

/** Operator and hosts as replies show them; see mailText in the domain. */
const SERVERS = Prisma.sql`CASE WHEN s.mx <> '' THEN jsonb_build_object(
  'operator', split_part(s.mx, ' ', 1), 'hosts', to_jsonb((string_to_array(s.mx, ' '))[2:])) END`;

/** A busy account has millions of checks a day, and the Overview must not wait for them. */
const COUNTED_MAX = 10_000;
/** Enough to tell a share, and each costs a look into another table. */
const COMPARED_MAX = 1_000;

/** Reads of one account's checks that take as long however many it has. */
export function createLogReading(db: Database, accountId: string) {
  const detail = (mode: KeyMode, table: Prisma.Sql, id: string): Promise<LogDetailRow[]> =>
    rowsOf(db, LogDetailRow)`
      SELECT ${shownCheck(mode)}, ${SERVERS} AS mx, l.request_id, l.datasets, l.factors, ${WORDS_OF} AS outcomes
      FROM ${table} l
      LEFT JOIN check_subjects s ON ${SAME_CHECK}
      WHERE l.account_id = ${accountId} AND l.id = ${id}`;

  return {
    /** Checks of the running UTC day by factor, for those of these codes that occurred among the newest. */
    countToday(codes: readonly string[]): Promise<{ code: string; checks: number }[]> {
      return rowsOf(db, { code: text, checks: int })`
        SELECT f ->> 'code' AS code, count(*)::int AS checks
        FROM (
          SELECT factors FROM check_logs
          WHERE account_id = ${accountId} AND created_at >= date_trunc('day', now(), 'UTC')
          ORDER BY created_at DESC, id DESC LIMIT ${COUNTED_MAX}
        ) l, jsonb_array_elements(l.factors) f
        WHERE f ->> 'code' = ANY(${codes})
        GROUP BY 1`;
    },

    /** The IP that most of the newest checks of the running UTC day carry, and among how many. */
    async commonIpToday(): Promise<CommonIp | undefined> {
      const [found] = await rowsOf(db, CommonIp)`
        WITH newest AS (
          SELECT id, account_id, created_at FROM check_logs
          WHERE account_id = ${accountId} AND created_at >= date_trunc('day', now(), 'UTC')
          ORDER BY created_at DESC, id DESC LIMIT ${COMPARED_MAX}
        )
        SELECT s.ip, count(*)::int AS checks, (SELECT count(*) FROM newest)::int AS among
        FROM newest l JOIN check_subjects s ON ${SAME_CHECK}
        WHERE s.ip IS NOT NULL
        GROUP BY s.ip ORDER BY checks DESC LIMIT 1`;
      return found;
    },

    /** Whether the checks of a month are in files. */
    isArchived: (month: string): Promise<boolean> => isArchived(db, month),

    async find(id: string): Promise<LogDetailRow | undefined> {
      const [found] = await detail('live', CHECK_TABLES.live, id);
      return found ?? (await detail('test', CHECK_TABLES.test, id))[0];
    },

    /** A check of the archive, if it is one of this account. */
    async findArchived(row: FactsRow): Promise<LogDetailRow | undefined> {
      return (await detail('live', asStored([row]), String(row.id)))[0];
    },
  };
}
