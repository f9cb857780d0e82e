import { OUTCOMES, type Outcome, type PrecisionGroup } from '@verdict/domain/outcomes.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { int, list, nullable, oneOf, type RowOf, record, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { LAST_WORD } from './outcome-of.js';

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

const LabelCounts = { name: text, genuine: int, abuse: int, bounced: int, complained: int };
export type LabelCounts = RowOf<typeof LabelCounts>;

/** Earlier words that a subject keeps. */
const HISTORY_MAX = 20;
/** Newest outcomes that a precision is made of. */
const LABELS_MAX = 10_000;

/** The outcomes of one account. Counts, decisions and statements never read this. */
export function createOutcomes(db: Database, accountId: string, searches: Database) {
  const ofAccount = Prisma.sql`account_id = ${accountId}`;
  /** Outcomes with the check that each is about: each check counts once, and an address by its newest check. */
  const labelled = Prisma.sql`
    said AS MATERIALIZED (
      SELECT subject, outcome FROM outcomes WHERE ${ofAccount} ORDER BY said_at DESC LIMIT ${LABELS_MAX}
    ), labelled AS MATERIALIZED (
      SELECT o.outcome, l.* FROM said o CROSS JOIN LATERAL (
        SELECT * FROM check_logs WHERE id = o.subject AND ${ofAccount} LIMIT 1) l
      UNION ALL
      SELECT o.outcome, l.* FROM said o CROSS JOIN LATERAL (
        SELECT s.id, s.created_at FROM check_subjects s
        WHERE s.email_hash = o.subject AND ${ofAccount}
          AND NOT EXISTS (SELECT FROM outcomes own WHERE own.account_id = ${accountId} AND own.subject = s.id)
        ORDER BY s.created_at DESC LIMIT 1
      ) n CROSS JOIN LATERAL (
        SELECT * FROM check_logs WHERE id = n.id AND created_at = n.created_at AND ${ofAccount} LIMIT 1) l
    )`;

  return {
    /**
     * Keeps the last word on each subject, and those before it as history. Returns how many subjects it changed: saying
     * the same again, or the same without its note, changes nothing. Subjects must differ.
     */
    record(said: readonly NewOutcome[], by: string): Promise<number> {
      return db.$executeRaw`
        INSERT INTO outcomes AS o (account_id, subject, outcome, note, said_by)
        SELECT ${accountId}, e.subject, e.outcome, e.note, ${by}
        FROM jsonb_to_recordset(${JSON.stringify(said)}::jsonb) AS e(subject text, outcome text, note text)
        ORDER BY e.subject
        ON CONFLICT (account_id, subject) DO UPDATE SET outcome = excluded.outcome, note = excluded.note,
          said_by = excluded.said_by, said_at = excluded.said_at,
          history = jsonb_path_query_array(${LAST_WORD} || o.history, ${`$[0 to ${HISTORY_MAX - 1}]`}::jsonpath)
        WHERE o.outcome <> excluded.outcome
          OR (excluded.note IS NOT NULL AND o.note IS DISTINCT FROM excluded.note)`;
    },

    /** Newest first, for the export of the account. */
    page(before: Position | null, countMax: number): Promise<OutcomeRow[]> {
      const chosen = allOf(Prisma.sql`true`, before && isBefore(before, 'o'));
      return rowsOf(db, OutcomeRow)`
        SELECT o.id, o.outcome, o.note, o.by, o.history, ${timestampText('o.created_at')} AS created_at
        FROM (
          SELECT subject AS id, outcome, note, said_by AS by, history, said_at AS created_at FROM outcomes WHERE ${ofAccount}
        ) o WHERE ${chosen} ORDER BY o.created_at DESC, o.id DESC LIMIT ${countMax}`;
    },

    /** Labelled checks by what decided them; by source, of each domain that is listed as disposable. */
    countBy(group: PrecisionGroup): Promise<LabelCounts[]> {
      const counts = Prisma.join(
        OUTCOMES.map(
          (each) => Prisma.sql`count(*) FILTER (WHERE l.outcome = ${each})::int AS ${Prisma.raw(each)}`,
        ),
      );
      return rowsOf(searches, LabelCounts)`
        WITH ${labelled}
        SELECT ${NAMES[group].name} AS name, ${counts} FROM labelled l ${NAMES[group].from} GROUP BY 1
        ORDER BY count(*) DESC, 1`;
    },
  };
}

const NAMES: Readonly<Record<PrecisionGroup, { readonly name: Prisma.Sql; readonly from: Prisma.Sql }>> = {
  code: {
    name: Prisma.sql`f.code`,
    from: Prisma.sql`CROSS JOIN LATERAL (
      SELECT DISTINCT e ->> 'code' AS code FROM jsonb_array_elements(l.factors) e) f`,
  },
  rule: {
    name: Prisma.sql`p.rules -> l.policy_rule::int ->> 'name'`,
    from: Prisma.sql`JOIN policies p ON p.account_id = l.account_id AND p.version = l.policy_version
      AND p.rules -> l.policy_rule::int ->> 'name' IS NOT NULL`,
  },
  source: {
    name: Prisma.sql`s.domain`,
    from: Prisma.sql`JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at
      AND s.account_id = l.account_id AND (l.signals ->> 'disposable_email')::boolean`,
  },
  decision: { name: Prisma.sql`l.decision`, from: Prisma.empty },
};
