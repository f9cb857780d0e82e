import { KEY_MODES, type KeyMode } from '@verdict/domain/key-words.js';
import { SAME_CHECK } from '../checks/same-check.js';
import { CHECK_TABLES } from '../checks/shown-check.js';
import type { Database } from '../database/client.js';
import { int, json, list, nullable, oneOf, type RowOf, type Shape, text } from '../database/columns.js';
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
/** Lines of some KB that are in memory together, and rows of a file, which have up to 8 KB. */
const CHECKS_AT_ONCE = 100;
const FILE_ROWS_AT_ONCE = 32;

/** Runs one of the reads that a question takes, now or in turn. */
type ReadTurn = <T>(read: () => Promise<T>) => Promise<T>;

/** One thing that is kept of a person. */
interface SubjectLine {
  readonly type:
    | 'check'
    | 'outcome'
    | 'revision'
    | 'review'
    | 'dismissal'
    | 'file_row'
    | 'list_entry'
    | 'user';
  readonly row: object;
}

const CheckLine = {
  account_id: text,
  id: text,
  key_id: text,
  mode: oneOf(...KEY_MODES),
  created_at: text,
  email: nullable(text),
  domain: text,
  ip: nullable(text),
  ip_network: nullable(text),
  mx: nullable(text),
  tag: nullable(text),
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
const DismissalLine = { account_id: text, kind: text, abuse: int, dismissed_at: text };
const ReviewLine = { account_id: text, id: text, created_at: text };
const FileAddress = {
  account_id: text,
  job_id: text,
  number: int,
  email: nullable(text),
  decision: nullable(text),
  risk_score: nullable(int),
};
const FileRow = { row: int, cells: nullable(text) };
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
 * counts, is not among it. However much it is, a few of its rows are in memory.
 */
export async function* subjectLines(
  db: Database,
  { hashes, fileHashes, values }: SubjectKeys,
  accountId: string | null,
  turn: ReadTurn = (read) => read(),
): AsyncGenerator<SubjectLine> {
  const within = (column: string) =>
    accountId === null ? Prisma.sql`true` : Prisma.sql`${Prisma.raw(column)} = ${accountId}`;
  const all = <Row extends object>(shape: Shape<Row>, statement: Prisma.Sql): Promise<Row[]> =>
    turn(() => rowsOf(db, shape)`${statement} LIMIT ${LINES_MAX}`);
  const lines = async <Row extends object>(
    type: SubjectLine['type'],
    shape: Shape<Row>,
    statement: Prisma.Sql,
  ) => (await all(shape, statement)).map((row) => ({ type, row }));

  const checks = await all(
    { id: text },
    Prisma.sql`
    SELECT s.id FROM check_subjects s
    WHERE (s.email_hash = ANY(${[...hashes]}::text[]) OR s.mailbox_hash = ANY(${[...hashes]}::text[]))
      AND ${within('s.account_id')} ORDER BY s.created_at, s.id`,
  );
  const slices = Array.from({ length: Math.ceil(checks.length / CHECKS_AT_ONCE) }, (_, i) =>
    checks.slice(i * CHECKS_AT_ONCE, (i + 1) * CHECKS_AT_ONCE).map(({ id }) => id),
  );
  for (const ids of slices)
    yield* await lines(
      'check',
      CheckLine,
      Prisma.sql`
      SELECT s.account_id, s.id, l.key_id, l.mode, ${timestampText('s.created_at')} AS created_at, s.email, s.domain, s.ip,
        l.ip_network, s.mx, l.tag, l.decision, l.risk_score, l.factors, s.reasons
      FROM check_subjects s, LATERAL (${factsOf('live')} UNION ALL ${factsOf('test')}) l
      WHERE s.id = ANY(${ids}::text[]) AND ${within('s.account_id')} ORDER BY s.created_at, s.id`,
    );
  for (const subjects of [[...hashes], ...slices])
    yield* await lines(
      'outcome',
      OutcomeLine,
      Prisma.sql`
      SELECT o.account_id, o.subject, o.outcome, o.note, o.history, ${timestampText('o.said_at')} AS said_at FROM outcomes o
      WHERE o.subject = ANY(${subjects}::text[]) AND ${within('o.account_id')} ORDER BY o.said_at`,
    );
  for (const ids of slices)
    yield* await lines(
      'revision',
      RevisionLine,
      Prisma.sql`
      SELECT r.account_id, r.id, r.from_decision AS "from", r.to_decision AS "to", r.codes, r.release,
        ${timestampText('r.created_at')} AS created_at
      FROM revisions r WHERE r.id = ANY(${ids}::text[]) AND ${within('r.account_id')} ORDER BY r.created_at`,
    );
  yield* await lines(
    'review',
    ReviewLine,
    Prisma.sql`
    SELECT r.account_id, r.id, ${timestampText('r.created_at')} AS created_at FROM reviews r
    WHERE r.email_hash = ANY(${[...hashes]}::text[]) AND ${within('r.account_id')} ORDER BY r.created_at`,
  );
  yield* await lines(
    'dismissal',
    DismissalLine,
    Prisma.sql`
    SELECT d.account_id, d.kind, d.abuse, ${timestampText('d.dismissed_at')} AS dismissed_at FROM dismissed_proposals d
    WHERE d.subject = ANY(${[...hashes]}::text[]) AND ${within('d.account_id')} ORDER BY d.dismissed_at`,
  );
  const addresses = await all(
    FileAddress,
    Prisma.sql`
    SELECT j.account_id, a.job_id, a.number, a.email, a.decision, a.risk_score::int AS risk_score
    FROM bulk_addresses a JOIN bulk_jobs j ON j.id = a.job_id
    WHERE a.hash = ANY(${[...fileHashes]}::uuid[]) AND ${within('j.account_id')} ORDER BY a.job_id, a.number`,
  );
  yield* fileLines(db, turn, addresses);
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

/** The rows of files with an address, a few in memory together. */
async function* fileLines(
  db: Database,
  turn: ReadTurn,
  addresses: readonly RowOf<typeof FileAddress>[],
): AsyncGenerator<SubjectLine> {
  let fileRows = 0;
  for (const { number, ...address } of addresses) {
    for (let after: number | null = -1; after !== null && fileRows < LINES_MAX; ) {
      const from: number = after;
      const rows = await turn(
        () => rowsOf(db, FileRow)`
          SELECT b.row, b.cells FROM bulk_rows b WHERE b.job_id = ${address.job_id} AND b.row > ${from} AND b.address = ${number}
          ORDER BY b.row LIMIT ${FILE_ROWS_AT_ONCE}`,
      );
      if (rows.length > 0 || from === -1)
        yield { type: 'file_row', row: { ...address, rows: rows.map(({ cells }) => cells) } };
      fileRows += rows.length;
      after = rows.length < FILE_ROWS_AT_ONCE ? null : (rows.at(-1)?.row ?? null);
    }
  }
}

/** The fact of a subject `s`, of a live or a test key. */
const factsOf = (mode: KeyMode): Prisma.Sql => Prisma.sql`
  SELECT ${mode} AS mode, l.key_id, l.ip_network, l.tag, l.decision, l.risk_score, l.factors FROM ${CHECK_TABLES[mode]} l
  WHERE ${SAME_CHECK}`;
