import type { Decision } from '@verdict/contracts/decision.js';
import type { PauseReason } from '@verdict/contracts/jobs-api.js';
import { toLines } from '../checks/text-lines.js';
import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { keptUntil } from './kept-until.js';

const BulkLease = { id: text, lease: int };
export type BulkLease = RowOf<typeof BulkLease>;

/** A job that runs, and exactly how far it is. */
const RunningBulkJob = {
  ...BulkLease,
  account_id: text,
  key_id: text,
  addresses: int,
  done: int,
  /** The chunk that was begun reaches from `done` up to here. */
  chunk_to: nullable(int),
  chunk_ms: int,
  chunk_attempt: int,
  again_round: int,
  again_after: int,
  unknown: int,
  dns_answered: bool,
  /** Of the policy that judges it; null for none. */
  policy_version: nullable(int),
  /** Jobs of the same key that run, this one included. */
  sharing: int,
};
export type RunningBulkJob = RowOf<typeof RunningBulkJob>;

const BulkAddress = {
  number: int,
  /** Null once the person was erased. */
  email: nullable(text),
};
export type BulkAddress = RowOf<typeof BulkAddress>;

/** An address that has a verdict. */
const CheckedAddress = {
  ...BulkAddress,
  /** created_at of its check; null in rows of the release before. */
  checked_at: nullable(text),
};
type CheckedAddress = RowOf<typeof CheckedAddress>;

export interface BulkVerdict {
  readonly number: number;
  /** created_at of its check. */
  readonly checkedAt: string | null;
  readonly decision: Decision;
  readonly riskScore: number;
  readonly signals: {
    readonly disposable_email: boolean;
    readonly mx_valid: boolean;
    readonly free_provider: boolean;
  };
  readonly reasons: readonly string[];
  readonly logId: string;
  /** DNS could not answer: to be asked again. */
  readonly unknown: boolean;
  /** DNS named mail servers. */
  readonly dnsAnswered: boolean;
}

/** How long a worker may work at a job without renewing its lease. */
const LEASE_SECONDS = 15;
/** How late a queued chunk may be before it counts as lost. */
const LATE_SECONDS = 5;
/** A chunk that is so late hangs in a queue that does not let go of it: the job gets a lease of its own. */
const STUCK_MINUTES = 10;

/** Jobs that run although nobody works at them: just started, or what was queued or in hand was lost. */
export const overdueBulkJobs = (db: Database): Promise<BulkLease[]> =>
  rowsOf(db, BulkLease)`
    WITH overdue AS (
      SELECT id, abs(extract(epoch FROM now() - leased_until)) > ${STUCK_MINUTES * 60} AS stuck FROM bulk_jobs
      WHERE status = 'running' AND NOT erased AND (leased_until <= now()
        OR leased_until > now() + make_interval(mins => ${STUCK_MINUTES}))
    ), renewed AS (
      UPDATE bulk_jobs j SET lease = j.lease + 1, leased_until = now() FROM overdue o
      WHERE j.id = o.id AND o.stuck RETURNING j.id, j.lease
    )
    SELECT o.id, coalesce(r.lease, j.lease) AS lease
    FROM overdue o JOIN bulk_jobs j ON j.id = o.id LEFT JOIN renewed r ON r.id = o.id`;

/** Takes up a job under the next lease; undefined when it does not run, or somebody else took up this one before. */
export async function takeBulkJob(
  db: Database,
  { id, lease }: BulkLease,
): Promise<RunningBulkJob | undefined> {
  const [job] = await rowsOf(db, RunningBulkJob)`
    UPDATE bulk_jobs j SET lease = j.lease + 1, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE j.id = ${id} AND j.lease = ${lease} AND j.status = 'running' AND NOT j.erased
    RETURNING j.id, j.lease, j.account_id, j.key_id, j.addresses, j.done, j.chunk_to, j.chunk_ms::float8 AS chunk_ms,
      j.chunk_attempt, j.again_round, j.again_after, j.unknown, j.dns_answered, j.policy_version,
      (SELECT count(*)::int FROM bulk_jobs s WHERE s.key_id = j.key_id AND s.status = 'running') AS sharing`;
  return job;
}

/** The worker is alive and still at it. */
export async function renewBulkLease(db: Database, { id, lease }: BulkLease): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${id} AND lease = ${lease}`;
}

/** The job is to be taken up again after a while. False when it does not run any more, or somebody else has it. */
export async function putOffBulkJob(
  db: Database,
  { id, lease }: BulkLease,
  afterMs: number,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${afterMs / 1000 + LATE_SECONDS})
    WHERE id = ${id} AND lease = ${lease} AND status = 'running' AND NOT erased`;
  return changed > 0;
}

export const readBulkAddresses = (
  db: Database,
  jobId: string,
  from: number,
  to: number,
): Promise<BulkAddress[]> =>
  rowsOf(db, BulkAddress)`
    SELECT number, email FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND number < ${to} ORDER BY number`;

/** Which addresses of a chunk were erased. Asked after the chunk was noted as begun, so that an erasure sees one or the other. */
export async function erasedOfChunk(
  db: Database,
  jobId: string,
  from: number,
  to: number,
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf(db, { number: int })`
    SELECT number FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND number < ${to} AND email IS NULL`;
  return new Set(rows.map(({ number }) => number));
}

/** Addresses behind a number that DNS left unknown. */
export const readUnknownAddresses = (
  db: Database,
  jobId: string,
  after: number,
  countMax: number,
): Promise<CheckedAddress[]> =>
  rowsOf(db, CheckedAddress)`
    SELECT number, email, ${timestampText('checked_at')} AS checked_at FROM bulk_addresses
    WHERE job_id = ${jobId} AND unknown AND number > ${after} ORDER BY number LIMIT ${countMax}`;

/** A moving average over chunks of what an address takes, pauses included. */
const paced = (addresses: number): Prisma.Sql => {
  const lately = Prisma.sql`extract(epoch FROM now() - bulk_jobs.touched_at) * 1000 / ${Math.max(1, addresses)}`;
  return Prisma.sql`touched_at = now(), address_ms = coalesce(0.8 * bulk_jobs.address_ms + 0.2 * ${lately}, ${lately})`;
};

/** Notes the chunk before anything is counted. False when the job is somewhere else by now. */
export async function beginChunk(
  db: Database,
  { id, done, chunk_attempt }: RunningBulkJob,
  to: number,
  nowMs: number,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE bulk_jobs SET chunk_to = ${to}, chunk_ms = ${nowMs}, chunk_attempt = chunk_attempt + 1
    WHERE id = ${id} AND status = 'running' AND done = ${done} AND chunk_to IS NULL AND chunk_attempt = ${chunk_attempt}`;
  return changed > 0;
}

/** Nothing of the chunk was counted, so it will be cut again under another name. */
export async function dropChunk(
  db: Database,
  { id, done }: Pick<RunningBulkJob, 'id' | 'done'>,
  attempt: number,
): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET chunk_to = NULL WHERE id = ${id} AND done = ${done} AND chunk_attempt = ${attempt}`;
}

export async function pauseBulkJob(db: Database, id: string, because: PauseReason): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'paused', paused_because = ${because} WHERE id = ${id} AND status = 'running'`;
}

const columnsOf = (verdicts: readonly BulkVerdict[]) => ({
  number: toLines(verdicts, ({ number }) => String(number)),
  decision: toLines(verdicts, ({ decision }) => decision),
  riskScore: toLines(verdicts, ({ riskScore }) => String(riskScore)),
  disposable: toLines(verdicts, ({ signals }) => String(signals.disposable_email)),
  mxValid: toLines(verdicts, ({ signals }) => String(signals.mx_valid)),
  free: toLines(verdicts, ({ signals }) => String(signals.free_provider)),
  reasons: toLines(verdicts, ({ reasons }) => JSON.stringify(reasons)),
  logId: toLines(verdicts, ({ logId }) => logId),
  unknown: toLines(verdicts, ({ unknown }) => String(unknown)),
  checkedAt: toLines(verdicts, ({ checkedAt }) => checkedAt ?? ''),
});

const countOf = (verdicts: readonly BulkVerdict[], decision: Decision): number =>
  verdicts.filter((verdict) => verdict.decision === decision).length;

/** Stores the verdicts and completes the chunk in one statement; a second call changes nothing. */
export async function finishChunk(
  db: Database,
  { id, done }: Pick<RunningBulkJob, 'id' | 'done'>,
  { to, attempt }: { readonly to: number; readonly attempt: number },
  verdicts: readonly BulkVerdict[],
): Promise<void> {
  const column = columnsOf(verdicts);
  await db.$executeRaw`
    WITH moved AS (
      UPDATE bulk_jobs SET done = ${to}, chunk_to = NULL, ${paced(to - done)},
        allowed = allowed + ${countOf(verdicts, 'allow')}, challenged = challenged + ${countOf(verdicts, 'challenge')},
        reviewed = reviewed + ${countOf(verdicts, 'review')}, blocked = blocked + ${countOf(verdicts, 'block')},
        unknown = unknown + ${verdicts.filter(({ unknown }) => unknown).length},
        dns_answered = dns_answered OR ${verdicts.some(({ dnsAnswered }) => dnsAnswered)}
      WHERE id = ${id} AND done = ${done} AND chunk_attempt = ${attempt}
      RETURNING id
    )
    UPDATE bulk_addresses a SET decision = r.decision, risk_score = r.risk_score,
      disposable_email = r.disposable_email, mx_valid = r.mx_valid, free_provider = r.free_provider,
      reasons = r.reasons, log_id = r.log_id, unknown = r.unknown, checked_at = r.checked_at
    FROM moved, unnest(
      string_to_array(${column.number}, E'\\n')::int[], string_to_array(${column.decision}, E'\\n'),
      string_to_array(${column.riskScore}, E'\\n')::smallint[], string_to_array(${column.disposable}, E'\\n')::bool[],
      string_to_array(${column.mxValid}, E'\\n')::bool[], string_to_array(${column.free}, E'\\n')::bool[],
      string_to_array(${column.reasons}, E'\\n')::jsonb[], string_to_array(${column.logId}, E'\\n'),
      string_to_array(${column.unknown}, E'\\n')::bool[], string_to_array(${column.checkedAt}, E'\\n', '')::timestamptz[]
    ) AS r(number, decision, risk_score, disposable_email, mx_valid, free_provider, reasons, log_id, unknown, checked_at)
    WHERE a.job_id = moved.id AND a.number = r.number AND a.email IS NOT NULL`;
}

/** Verdicts of addresses that were asked again; the counts follow. Their log ids stay. */
export async function replaceVerdicts(
  db: Database,
  { id, again_round, again_after }: Pick<RunningBulkJob, 'id' | 'again_round' | 'again_after'>,
  after: number,
  verdicts: readonly BulkVerdict[],
): Promise<void> {
  const column = columnsOf(verdicts);
  await db.$executeRaw`
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest(
        string_to_array(${column.number}, E'\\n')::int[], string_to_array(${column.decision}, E'\\n'),
        string_to_array(${column.riskScore}, E'\\n')::smallint[], string_to_array(${column.disposable}, E'\\n')::bool[],
        string_to_array(${column.mxValid}, E'\\n')::bool[], string_to_array(${column.free}, E'\\n')::bool[],
        string_to_array(${column.reasons}, E'\\n')::jsonb[], string_to_array(${column.unknown}, E'\\n')::bool[]
      ) AS r(number, decision, risk_score, disposable_email, mx_valid, free_provider, reasons, unknown)
    ), changes AS MATERIALIZED (
      SELECT r.decision AS now, a.decision AS before, r.unknown FROM input r
      JOIN bulk_addresses a ON a.job_id = ${id} AND a.number = r.number
    ), moved AS (
      UPDATE bulk_jobs SET again_after = ${after}, ${paced(verdicts.length)},
        allowed = bulk_jobs.allowed + d.allowed, challenged = bulk_jobs.challenged + d.challenged,
        reviewed = bulk_jobs.reviewed + d.reviewed, blocked = bulk_jobs.blocked + d.blocked,
        unknown = bulk_jobs.unknown - d.answered
      FROM (
        SELECT count(*) FILTER (WHERE now = 'allow') - count(*) FILTER (WHERE before = 'allow') AS allowed,
          count(*) FILTER (WHERE now = 'challenge') - count(*) FILTER (WHERE before = 'challenge') AS challenged,
          count(*) FILTER (WHERE now = 'review') - count(*) FILTER (WHERE before = 'review') AS reviewed,
          count(*) FILTER (WHERE now = 'block') - count(*) FILTER (WHERE before = 'block') AS blocked,
          count(*) FILTER (WHERE NOT unknown) AS answered
        FROM changes
      ) d
      WHERE id = ${id} AND again_round = ${again_round} AND again_after = ${again_after}
      RETURNING id
    )
    UPDATE bulk_addresses a SET decision = r.decision, risk_score = r.risk_score,
      disposable_email = r.disposable_email, mx_valid = r.mx_valid, free_provider = r.free_provider,
      reasons = r.reasons, unknown = r.unknown
    FROM moved, input r WHERE a.job_id = moved.id AND a.number = r.number AND a.email IS NOT NULL`;
}

/** One round of asking again is over. */
export async function endRound(db: Database, { id, again_round }: RunningBulkJob): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET again_round = again_round + 1, again_after = -1 WHERE id = ${id} AND again_round = ${again_round}`;
}

export async function completeBulkJob(db: Database, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'completed', finished_at = now(), expires_at = ${keptUntil()}
    WHERE id = ${id} AND status = 'running' AND done = addresses`;
}
