import type { Database } from './client.js';
import { float, int, nullable, type RowOf, record, type Shape, text } from './columns.js';
import { patiently } from './patiently.js';
import { rowsOf } from './rows-of.js';
import { instant, timestampText } from './sql-timestamp.js';

/** The queue of check logs, as a worker saw it. */
const QUEUE_OBSERVATION = 'queue';

const QueueObservation = {
  waiting: int,
  active: int,
  delayed: int,
  failed: int,
  /** Null when there is no job, or too many to look at. */
  oldestSeconds: nullable(float),
  deadLetters: int,
};
export type QueueObservation = RowOf<typeof QueueObservation>;

const RECONCILIATION = 'reconciliation ';
const ReconciliationObservation = { differences: int, repaired: int };
export type ReconciliationObservation = RowOf<typeof ReconciliationObservation>;

export const noteQueue = (db: Database, seen: QueueObservation): Promise<void> =>
  note(db, QUEUE_OBSERVATION, seen);

/**
 * The last run of a month, by a worker or an operator: the alert on differences ends with the run that finds none. Of two
 * beside each other the one that began later, by the clock of Postgres, counts.
 */
export async function noteReconciliation(
  db: Database,
  month: string,
  beganAtMs: number,
  found: readonly { readonly repaired: boolean }[],
): Promise<void> {
  const repaired = found.filter((difference) => difference.repaired).length;
  const value: ReconciliationObservation = { differences: found.length - repaired, repaired };
  await db.$executeRaw`
    INSERT INTO observations AS o (name, value, observed_at)
    VALUES (${`${RECONCILIATION}${month}`}, ${JSON.stringify(value)}::jsonb, ${instant(new Date(beganAtMs))})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, observed_at = excluded.observed_at
    WHERE o.observed_at <= excluded.observed_at OR o.observed_at > now()`;
}

const BACKUP = 'backup';
interface BackupObservation {
  readonly rows: number;
}

export const noteBackup = (db: Database, rows: number): Promise<void> => note(db, BACKUP, { rows });

/** Seconds since the last `verdict backup`; 0 when there was none. */
export async function backupAge(db: Database): Promise<number> {
  const rows = await rowsOf(db, { age: float })`
    SELECT greatest(0, extract(epoch FROM now() - observed_at))::float8 AS age FROM observations WHERE name = ${BACKUP}`;
  return rows[0]?.age ?? 0;
}

const CLOSING = 'closing';
const ClosingObservation = { month: text, done: int, of: int };
export type ClosingObservation = RowOf<typeof ClosingObservation>;

/** How many statements of a month a closing has written, of how many at most; of two that close it, the one that is further. */
export async function noteClosing(db: Database, seen: ClosingObservation): Promise<void> {
  await db.$executeRaw`
    INSERT INTO observations AS o (name, value) VALUES (${CLOSING}, ${JSON.stringify(seen)}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, observed_at = now()
    WHERE o.value->>'month' <> excluded.value->>'month' OR (o.value->>'done')::int <= (excluded.value->>'done')::int`;
}

/** The last closing; null before the first. */
export async function readClosing(db: Database): Promise<Observed<ClosingObservation> | null> {
  return readObserved(db, CLOSING, ClosingObservation);
}

const UNISSUED = 'unissued invoices';
const UnissuedObservation = { ready: int, stopped: int };
export type UnissuedObservation = RowOf<typeof UnissuedObservation>;

/**
 * Counts the invoices of closed months that are not issued, and notes it: `ready` ones come with the next issuing, `stopped`
 * ones wait. Runs take turns at the row, so that an older count never covers a newer one.
 */
export async function countUnissued(db: Database): Promise<UnissuedObservation> {
  const turn = db.$executeRaw`
    INSERT INTO observations (name, value) VALUES (${UNISSUED}, '{"ready": 0, "stopped": 0}')
    ON CONFLICT (name) DO UPDATE SET name = excluded.name`;
  const count = rowsOf(db, UnissuedObservation)`
    UPDATE observations SET observed_at = now(), value = (
      SELECT jsonb_build_object('ready', count(*) FILTER (WHERE stopped IS NULL), 'stopped', count(stopped))
      FROM unissued_invoices)
    WHERE name = ${UNISSUED} RETURNING (value->>'ready')::int AS ready, (value->>'stopped')::int AS stopped`;
  const [row] = await patiently(db, count, turn);
  if (!row) throw new Error('the observation of unissued invoices is gone');
  return row;
}

/** Takes issued invoices off the last count. */
export async function noteIssued(db: Database, issued: number): Promise<void> {
  const change = db.$executeRaw`
    UPDATE observations SET observed_at = now(), value = jsonb_set(
      value, '{ready}', to_jsonb(greatest(0, (value->>'ready')::int - ${issued}::int)))
    WHERE name = ${UNISSUED}`;
  await patiently(db, change);
}

export async function readUnissued(db: Database): Promise<Observed<UnissuedObservation> | null> {
  return readObserved(db, UNISSUED, UnissuedObservation);
}

async function note(db: Database, name: string, value: QueueObservation | BackupObservation): Promise<void> {
  await db.$executeRaw`
    INSERT INTO observations (name, value) VALUES (${name}, ${JSON.stringify(value)}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, observed_at = now()`;
}

/** An observation with a value of this shape. */
const observed = <Value>(value: Shape<Value>) => ({
  name: text,
  value: record(value),
  observed_at: text,
  age_seconds: int,
});
export type Observed<Value> = RowOf<ReturnType<typeof observed<Value>>>;

export async function readQueueObservation(db: Database): Promise<Observed<QueueObservation> | null> {
  return readObserved(db, QUEUE_OBSERVATION, QueueObservation);
}

async function readObserved<Value>(
  db: Database,
  name: string,
  shape: Shape<Value>,
): Promise<Observed<Value> | null> {
  const rows = await rowsOf(db, observed(shape))`
    SELECT name, value, ${timestampText('observed_at')} AS observed_at,
           greatest(0, extract(epoch FROM now() - observations.observed_at))::int AS age_seconds
    FROM observations WHERE name = ${name}`;
  return rows[0] ?? null;
}

/** The last run of each month, newest month first; `name` is the month. */
export function readReconciliations(db: Database): Promise<Observed<ReconciliationObservation>[]> {
  return rowsOf(db, observed(ReconciliationObservation))`
    SELECT substr(name, ${RECONCILIATION.length + 1}::int) AS name, value, ${timestampText('observed_at')} AS observed_at,
           greatest(0, extract(epoch FROM now() - observations.observed_at))::int AS age_seconds
    FROM observations WHERE starts_with(name, ${RECONCILIATION}) ORDER BY name DESC LIMIT 24`;
}
