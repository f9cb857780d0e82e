import type { Database } from '../database/client.js';
import { int, type RowOf, type Shape } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { type Audit, audited } from './audited.js';

interface AccountChange<Row> {
  readonly accountId: string;
  /** Statements that must run before the change, under the same lock. */
  readonly before?: readonly Prisma.Sql[];
  /** One INSERT, UPDATE or DELETE with RETURNING. */
  readonly change: Prisma.Sql;
  /** The columns that it returns. */
  readonly returns: Shape<Row>;
  readonly audit: Audit;
  /** The change is one of the account's lists. */
  readonly lists?: boolean;
}

export interface Changed<Row> {
  readonly rows: readonly Row[];
  /** The account's version after the change. */
  readonly version: number;
  /** The lists' version before it. */
  readonly previousListsVersion: number;
}

const VersionRow = { version: int, previous_lists_version: int };
type VersionRow = RowOf<typeof VersionRow>;

/**
 * The one way to change what gateways see. Raising the version locks the account's row, so changes of one account are
 * serial, which makes "at most five keys" exact; it is a batch, because interactive transactions have crashed
 * processes (prisma/orm#29952).
 */
export async function changeAccount<Row>(
  db: Database,
  { accountId, before = [], change, returns, audit, lists = false }: AccountChange<Row>,
): Promise<Changed<Row>> {
  const raise = Prisma.sql`
    WITH earlier AS (SELECT id, lists_version FROM accounts WHERE id = ${accountId} FOR UPDATE)
    UPDATE accounts a
    SET version = a.version + 1, lists_version = CASE WHEN ${lists} THEN a.version + 1 ELSE a.lists_version END
    FROM earlier WHERE a.id = earlier.id
    RETURNING a.version, earlier.lists_version AS previous_lists_version`;
  const results = await db.$transaction([
    rowsOf(db, VersionRow)(raise),
    ...before.map((statement) => db.$executeRaw(statement)),
    rowsOf(db, returns)(audited(accountId, change, audit)),
  ]);
  const raised = (results[0] as VersionRow[])[0];
  if (!raised) throw new Error(`account ${accountId} does not exist`);
  return {
    rows: results.at(-1) as Row[],
    version: raised.version,
    previousListsVersion: raised.previous_lists_version,
  };
}
