import type { Database } from '../database/client.js';
import { int, list, nullable, oneOf, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant, timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { CheckCursor } from '../policies/stored-checks.js';
import { extended, isHeldBy, nextDue, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';
import type { Leased } from '../work/work-queue.js';

/** More of the stored checks than this need an operator's word; a small installation may revise a few whatever they are. */
const REVISED_SHARE_MAX = 0.01;
const REVISED_ALWAYS = 100;

/** A second look in the hands of one worker, and how far it is. */
const TakenLook = {
  id: text,
  lease: int,
  tries: int,
  release: text,
  status: oneOf('searching', 'revising'),
  names: list(text),
  hosts: list(text),
  to: text,
  cursor: record(CheckCursor),
};
export type TakenLook = RowOf<typeof TakenLook>;

const QUEUE = QUEUES.secondLooks;
const CURSOR = Prisma.sql`jsonb_build_object('at', ${timestampText('l.cursor_at')}, 'id', l.cursor_id)`;

export const takeSecondLooks = (db: Database, countMax: number): Promise<TakenLook[]> =>
  rowsOf(db, TakenLook)`
    ${take(QUEUE, nextDue(QUEUE, countMax))}
    SELECT l.id, l.lease, l.tries, l.release, l.status, l.names, l.hosts, ${timestampText('l.to_at')} AS "to", ${CURSOR} AS cursor
    FROM taken l`;

/** The domains of the checks of a while with their mail servers, each pair once with its number of checks. */
export const placesBetween = (
  db: Database,
  from: Date,
  to: Date,
): Promise<{ domain: string; mx: string | null; checks: number }[]> =>
  rowsOf(db, { domain: text, mx: nullable(text), checks: int })`
    SELECT domain, mx, count(*)::int AS checks FROM check_subjects
    WHERE created_at >= ${instant(from)} AND created_at < ${instant(to)} GROUP BY domain, mx`;

interface Searched {
  readonly from: Date;
  readonly to: Date;
  /** Domains and mail servers among these checks whose listing changed. */
  readonly domains: readonly string[];
  readonly mx: readonly string[];
}

/** Notes the checks of a while that are on changed domains or behind changed mail servers, and the cursor behind them. False when the look is lost. */
export async function saveSearched(
  db: Database,
  look: Leased,
  { from, to, domains, mx }: Searched,
): Promise<boolean> {
  const saved = await db.$executeRaw`
    WITH held AS (
      SELECT id FROM second_looks WHERE ${isHeldBy(QUEUE, look)} AND status = 'searching' FOR UPDATE
    ), kept AS (
      INSERT INTO second_look_checks (look_id, created_at, id)
      SELECT held.id, s.created_at, s.id FROM check_subjects s, held
      WHERE s.created_at >= ${instant(from)} AND s.created_at < ${instant(to)} AND (s.domain = ANY(${[...domains]}::text[]) OR s.mx = ANY(${[...mx]}::text[]))
      ON CONFLICT DO NOTHING RETURNING id
    )
    UPDATE second_looks w SET cursor_at = ${instant(to)}, tries = 0, ${extended(QUEUE)}, found = w.found + (SELECT count(*) FROM kept)
    FROM held WHERE w.id = held.id`;
  return saved > 0;
}

const Searching = { status: oneOf('revising', 'held'), found: int };
export type SearchEnd = RowOf<typeof Searching>;

/** Ends the search: continues with revising, or waits for an operator where it found too much. Undefined when the look is lost. */
export async function endSearch(db: Database, look: Leased): Promise<SearchEnd | undefined> {
  const [ended] = await rowsOf(db, Searching)`
    UPDATE second_looks l SET tries = 0, cursor_at = from_at, cursor_id = '', status = CASE
      WHEN allowed OR found <= greatest(${REVISED_ALWAYS}, ${REVISED_SHARE_MAX}::float8 * (
        SELECT coalesce(sum(u.checks), 0)::float8 FROM usage_hourly u WHERE u.hour >= l.from_at AND u.hour < l.to_at))
      THEN 'revising' ELSE 'held' END
    WHERE ${isHeldBy(QUEUE, look)} AND status = 'searching'
    RETURNING status, found`;
  return ended;
}

export interface NewRevision {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly risk_score: number;
  readonly codes: readonly string[];
}

interface Revised {
  readonly cursor: CheckCursor;
  readonly revisions: readonly NewRevision[];
  readonly isLast: boolean;
}

/**
 * Writes revisions with their events and the cursor behind them, in one statement, so that a check is revised once
 * whichever worker dies. A person who was erased meanwhile is left out. False when the look is lost.
 */
export async function saveRevisions(
  db: Database,
  look: Leased,
  { cursor, revisions, isLast }: Revised,
): Promise<boolean> {
  const [saved] = await rowsOf(db, { held: int, told: int })`
    WITH held AS (
      UPDATE second_looks SET cursor_at = ${cursor.at}::timestamptz, cursor_id = ${cursor.id}, tries = 0,
        ${extended(QUEUE)}, status = ${isLast ? 'done' : 'revising'}
      WHERE ${isHeldBy(QUEUE, look)} AND status = 'revising' RETURNING id, release
    ), written AS (
      INSERT INTO revisions (id, look_id, account_id, key_id, checked_at, from_decision, to_decision, risk_score, codes, release)
      SELECT l.id, held.id, a.id, l.key_id, l.created_at, e."from", e."to", e.risk_score, e.codes, held.release
      FROM held, jsonb_to_recordset(${JSON.stringify(revisions)}::jsonb)
        AS e(id text, "from" text, "to" text, risk_score smallint, codes text[])
      JOIN second_look_checks c ON c.id = e.id AND c.look_id = ${look.id}
      JOIN check_logs l ON l.id = c.id AND l.created_at = c.created_at
      JOIN check_subjects s ON s.id = c.id AND s.created_at = c.created_at
      JOIN accounts a ON a.id = l.account_id
      ON CONFLICT DO NOTHING
      RETURNING *
    ), forgotten AS (
      DELETE FROM second_look_checks WHERE look_id = ${look.id} AND ${isLast} AND EXISTS (SELECT FROM held)
    )
    SELECT (SELECT count(*)::int FROM held) AS held, (
      SELECT count(enqueue_webhook_event(t.account_id, 'check.revised', t.data))::int FROM (
        SELECT w.account_id, jsonb_build_object(
          'release', min(w.release), 'to', w.to_decision, 'log_ids', jsonb_agg(w.id ORDER BY w.id)) AS data
        FROM written w GROUP BY w.account_id, w.to_decision
      ) t
    ) AS told`;
  return (saved?.held ?? 0) > 0;
}

export const failSecondLook = (db: Database, look: Leased): Promise<number> =>
  db.$executeRaw`UPDATE second_looks SET status = 'failed' WHERE ${isHeldBy(QUEUE, look)}`;
