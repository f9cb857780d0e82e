import { OUTCOMES, type Outcome } from '@verdict/domain/outcomes.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { int, list, nullable, oneOf, type RowOf, record, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { LAST_WORD } from './outcome-of.js';
import { type Dismissal, dismissProposal } from './proposals.js';

export interface NewOutcome {
  /** A log id, or the keyed hash of an address. */
  readonly subject: string;
  readonly outcome: Outcome;
  readonly note: string | null;
}

const outcome = oneOf(...OUTCOMES);

/** One thing that was said of a subject. */
const WORD = { outcome, note: nullable(text), at: text, by: text };

const OutcomeRow = {
  id: text,
  outcome,
  note: nullable(text),
  by: text,
  history: list(record(WORD)),
  created_at: text,
};
export type OutcomeRow = RowOf<typeof OutcomeRow>;

/** Earlier words that a subject keeps. */
const HISTORY_MAX = 20;

/** The outcomes of one account. Counts, decisions and statements never read this. */
export function createOutcomes(db: Database, accountId: string) {
  const ofAccount = Prisma.sql`account_id = ${accountId}`;
  /** Keeps words and closes the reviews that they answer, in one statement: no review is reported twice. */
  const write = async (said: Prisma.Sql, by: string): Promise<number> => {
    const [written] = await rowsOf(db, { recorded: int, told: int })`
      WITH said AS (
        INSERT INTO outcomes AS o (account_id, subject, outcome, note, said_by)
        SELECT ${accountId}, e.subject, e.outcome, e.note, ${by} FROM ${said}
        ORDER BY e.subject
        ON CONFLICT (account_id, subject) DO UPDATE SET outcome = excluded.outcome, note = excluded.note,
          said_by = excluded.said_by, said_at = excluded.said_at,
          history = jsonb_path_query_array(${LAST_WORD} || o.history, ${`$[0 to ${HISTORY_MAX - 1}]`}::jsonpath)
        WHERE o.outcome <> excluded.outcome
          OR (excluded.note IS NOT NULL AND o.note IS DISTINCT FROM excluded.note)
        RETURNING subject, outcome
      ), closed AS (
        DELETE FROM reviews r USING said s
        WHERE r.account_id = ${accountId} AND s.subject IN (r.id, r.email_hash)
        RETURNING r.id, r.key_id, s.outcome
      )
      SELECT (SELECT count(*)::int FROM said) AS recorded, (
        SELECT count(enqueue_webhook_event(${accountId}, 'review.decided',
          jsonb_build_object('log_id', c.id, 'key_id', c.key_id, 'outcome', c.outcome)))::int
        FROM closed c WHERE EXISTS (
          SELECT FROM webhook_endpoints e
          WHERE e.account_id = ${accountId} AND e.status = 'enabled' AND 'review.decided' = ANY (e.events))
      ) AS told`;
    return written?.recorded ?? 0;
  };

  return {
    dismiss: (proposal: Dismissal, by: string): Promise<void> => dismissProposal(db, accountId, proposal, by),

    /**
     * Keeps the last word on each subject, and those before it as history. Returns how many subjects it changed: saying
     * the same again, or the same without its note, changes nothing. Subjects must differ.
     */
    record: (said: readonly NewOutcome[], by: string): Promise<number> =>
      write(
        Prisma.sql`jsonb_to_recordset(${JSON.stringify(said)}::jsonb) AS e(subject text, outcome text, note text)`,
        by,
      ),

    /** The same for one check that a session holds for review. Nothing changes where it does not hold it any more. */
    recordReviewed: (session: string, { subject, outcome, note }: NewOutcome, by: string): Promise<number> =>
      write(
        Prisma.sql`(
          SELECT r.id AS subject, ${outcome}::text AS outcome, ${note}::text AS note FROM reviews r
          WHERE r.id = ${subject} AND r.account_id = ${accountId} AND r.claimed_by = ${session} FOR UPDATE OF r) e`,
        by,
      ),

    /** Newest first, for the export of the account. */
    page(before: Position | null, countMax: number): Promise<OutcomeRow[]> {
      const chosen = allOf(Prisma.sql`true`, before && isBefore(before, 'o'));
      return rowsOf(db, OutcomeRow)`
        SELECT o.id, o.outcome, o.note, o.by, o.history, ${timestampText('o.created_at')} AS created_at
        FROM (
          SELECT subject AS id, outcome, note, said_by AS by, history, said_at AS created_at FROM outcomes WHERE ${ofAccount}
        ) o WHERE ${chosen} ORDER BY o.created_at DESC, o.id DESC LIMIT ${countMax}`;
    },
  };
}
