import type { Database } from '../database/client.js';
import { columnsOf, int, type RowOf, text } from '../database/columns.js';
import type { Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { isDue, isLeased, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';

const ReviewRow = columnsOf('review');
export type ReviewRow = RowOf<typeof ReviewRow>;

const Claim = { id: text, lease: int };
export type Claim = RowOf<typeof Claim>;

const QUEUE = QUEUES.reviews;
/** More than anybody reads, and counting them must not keep the Overview waiting. */
const COUNTED_MAX = 10_000;

/** The checks of one account that wait for a person, each in the hands of one session at a time. */
export function createReviews(db: Database, accountId: string) {
  const ofAccount = Prisma.sql`w.account_id = ${accountId}`;
  /** A claim holds for its session until somebody else has taken the row, however late. */
  const isHeldIn = (session: string) => Prisma.sql`w.claimed_by = ${session}`;
  const isFreeFor = (session: string) =>
    Prisma.sql`${ofAccount} AND ${QUEUE.waits} AND (${isDue(QUEUE)} OR ${isHeldIn(session)})`;
  const claim = async (session: string, chosen: Prisma.Sql): Promise<Claim | undefined> => {
    const [claimed] = await rowsOf(db, Claim)`
      ${take(QUEUE, chosen, Prisma.sql`, claimed_by = ${session}`)} SELECT id, lease FROM taken`;
    return claimed;
  };

  return {
    /** Oldest first, those after a position, as a session sees them. */
    page(session: string, after: Position | null, countMax: number): Promise<ReviewRow[]> {
      const behind = after
        ? Prisma.sql`(w.created_at, w.id) > (${after.createdAt}::timestamptz, ${after.id})`
        : Prisma.sql`true`;
      return rowsOf(db, ReviewRow)`
        SELECT r.id, s.email, s.ip, l.risk_score, s.reasons ->> 0 AS reason, r.claim,
          ${timestampText('r.created_at')} AS created_at
        FROM (
          SELECT w.id, w.created_at, CASE WHEN NOT ${isLeased(QUEUE, 'w')} THEN 'none'
            WHEN w.claimed_by = ${session} THEN 'own' ELSE 'other' END AS claim
          FROM reviews w WHERE ${ofAccount} AND ${behind} AND ${QUEUE.waits}
          ORDER BY w.created_at, w.id LIMIT ${countMax}
        ) r
        JOIN check_logs l ON l.id = r.id AND l.created_at = r.created_at AND l.account_id = ${accountId}
        LEFT JOIN check_subjects s ON s.id = r.id AND s.created_at = r.created_at AND s.account_id = ${accountId}
        ORDER BY r.created_at, r.id`;
    },

    /** How many wait, up to a number that says "many". */
    async count(): Promise<number> {
      const [counted] = await rowsOf(db, { waiting: int })`
        SELECT count(*)::int AS waiting FROM (
          SELECT FROM reviews w WHERE ${ofAccount} AND ${QUEUE.waits} LIMIT ${COUNTED_MAX}) w`;
      return counted?.waiting ?? 0;
    },

    /** The oldest check that no other session holds. */
    claimNext: (session: string): Promise<Claim | undefined> =>
      claim(
        session,
        Prisma.sql`
          SELECT w.id FROM reviews w WHERE ${isFreeFor(session)}
          ORDER BY ${QUEUE.order} LIMIT 1 FOR UPDATE SKIP LOCKED`,
      ),

    /** One check; undefined where another session holds it or its review has ended. */
    claim: (session: string, id: string): Promise<Claim | undefined> =>
      claim(
        session,
        Prisma.sql`SELECT w.id FROM reviews w WHERE w.id = ${id} AND ${isFreeFor(session)} FOR UPDATE SKIP LOCKED`,
      ),

    /** Gives back what a session holds, but for the check that it turned to. */
    async release(session: string, except: string): Promise<void> {
      await db.$executeRaw`
        UPDATE reviews w SET leased_until = now()
        WHERE ${ofAccount} AND ${isHeldIn(session)} AND w.id <> ${except} AND ${isLeased(QUEUE, 'w')}`;
    },

    /** Whether the check waits, held or not. */
    async waits(id: string): Promise<boolean> {
      const rows = await rowsOf(db, { id: text })`
        SELECT w.id FROM reviews w WHERE ${ofAccount} AND w.id = ${id} AND ${QUEUE.waits}`;
      return rows.length > 0;
    },
  };
}
