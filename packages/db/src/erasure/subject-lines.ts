import type { Database } from '../database/client.js';
import { int, json, list, nullable, type Shape, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** How one person is found. */
export interface SubjectKeys {
  /** Keyed hashes of the spellings of the address. */
  readonly hashes: readonly string[];
  /** Those of addressHash, by which files know it. */
  readonly fileHashes: readonly string[];
  /** Spellings and mailbox as lists and users have them. */
  readonly values: readonly string[];
}

/** Of each kind: people read no more, and a shared mailbox has millions. */
const LINES_MAX = 10_000;

/** One thing that is kept of a person. */
interface SubjectLine {
  readonly type: 'check' | 'outcome' | 'revision' | 'review' | 'file_row' | 'list_entry' | 'user';
  readonly row: object;
}

const CheckLine = {
  account_id: text,
  id: text,
  created_at: text,
  email: nullable(text),
  domain: text,
  ip: nullable(text),
  mx: nullable(text),
  decision: text,
  risk_score: int,
  factors: json,
  reasons: json,
};
const OutcomeLine = {
  account_id: text,
  subject: text,
  outcome: text,
  note: nullable(text),
  history: json,
  said_at: text,
};
const RevisionLine = {
  account_id: text,
  id: text,
  from: text,
  to: text,
  codes: list(text),
  release: text,
  created_at: text,
};
const ReviewLine = { account_id: text, id: text, created_at: text };
const FileLine = {
  account_id: text,
  job_id: text,
  email: nullable(text),
  decision: nullable(text),
  risk_score: nullable(int),
  rows: json,
};
const EntryLine = {
  account_id: text,
  id: text,
  list: text,
  match: text,
  value: text,
  note: nullable(text),
  created_at: text,
};
const UserLine = { account_id: text, id: text, email: text, created_at: text };

/**
 * Everything in Postgres that is kept of a person, of one account or of all. What no longer names the person, such as
 * counts, is not among it.
 */
export async function* subjectLines(
  db: Database,
  { hashes, fileHashes, values }: SubjectKeys,
  accountId: string | null,
): AsyncGenerator<SubjectLine> {
  const within = (column: string) =>
    accountId === null ? Prisma.sql`true` : Prisma.sql`${Prisma.raw(column)} = ${accountId}`;
  const isPerson = Prisma.sql`(s.email_hash = ANY(${[...hashes]}::text[]) OR s.mailbox_hash = ANY(${[...hashes]}::text[]))
    AND ${within('s.account_id')}`;
  const ids = Prisma.sql`SELECT s.id FROM check_subjects s WHERE ${isPerson}`;
  const lines = async <Row extends object>(
    type: SubjectLine['type'],
    shape: Shape<Row>,
    statement: Prisma.Sql,
  ) => (await rowsOf(db, shape)`${statement} LIMIT ${LINES_MAX}`).map((row) => ({ type, row }));

  yield* await lines(
    'check',
    CheckLine,
    Prisma.sql`
    SELECT s.account_id, s.id, ${timestampText('s.created_at')} AS created_at, s.email, s.domain, s.ip, s.mx, l.decision,
      l.risk_score, l.factors, s.reasons
    FROM check_subjects s JOIN check_logs l ON l.id = s.id AND l.created_at = s.created_at
    WHERE ${isPerson} ORDER BY s.created_at`,
  );
  yield* await lines(
    'outcome',
    OutcomeLine,
    Prisma.sql`
    SELECT o.account_id, o.subject, o.outcome, o.note, o.history, ${timestampText('o.said_at')} AS said_at FROM outcomes o
    WHERE (o.subject = ANY(${[...hashes]}::text[]) OR o.subject IN (${ids})) AND ${within('o.account_id')} ORDER BY o.said_at`,
  );
  yield* await lines(
    'revision',
    RevisionLine,
    Prisma.sql`
    SELECT r.account_id, r.id, r.from_decision AS "from", r.to_decision AS "to", r.codes, r.release,
      ${timestampText('r.created_at')} AS created_at
    FROM revisions r WHERE r.id IN (${ids}) AND ${within('r.account_id')} ORDER BY r.created_at`,
  );
  yield* await lines(
    'review',
    ReviewLine,
    Prisma.sql`
    SELECT r.account_id, r.id, ${timestampText('r.created_at')} AS created_at FROM reviews r
    WHERE r.email_hash = ANY(${[...hashes]}::text[]) AND ${within('r.account_id')} ORDER BY r.created_at`,
  );
  yield* await lines(
    'file_row',
    FileLine,
    Prisma.sql`
    SELECT j.account_id, a.job_id, a.email, a.decision, a.risk_score::int AS risk_score, (
      SELECT coalesce(jsonb_agg(b.cells ORDER BY b.row), '[]') FROM bulk_rows b
      WHERE b.job_id = a.job_id AND b.address = a.number) AS rows
    FROM bulk_addresses a JOIN bulk_jobs j ON j.id = a.job_id
    WHERE a.hash = ANY(${[...fileHashes]}::uuid[]) AND ${within('j.account_id')} ORDER BY a.job_id`,
  );
  yield* await lines(
    'list_entry',
    EntryLine,
    Prisma.sql`
    SELECT e.account_id, e.id, e.list, e.match, e.value, e.note, ${timestampText('e.created_at')} AS created_at
    FROM list_entries e WHERE e.kind = 'address' AND e.value = ANY(${[...values]}::text[]) AND ${within('e.account_id')}
    ORDER BY e.created_at`,
  );
  yield* await lines(
    'user',
    UserLine,
    Prisma.sql`
    SELECT u.account_id, u.id, u.email, ${timestampText('u.created_at')} AS created_at FROM users u
    WHERE u.email = ANY(${[...values]}::text[]) AND ${within('u.account_id')} ORDER BY u.created_at`,
  );
}
