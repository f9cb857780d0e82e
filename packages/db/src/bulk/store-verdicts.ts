import type { Decision } from '@verdict/domain/decision.js';
import { toLines } from '../checks/text-lines.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';
import type { RunningBulkJob } from './bulk-lease.js';

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
  /** DNS could not answer, however often it was asked. */
  readonly unknown: boolean;
  /** DNS named mail servers. */
  readonly dnsAnswered: boolean;
}

/** A moving average over chunks of what an address takes, pauses included. */
const paced = (addresses: number): Prisma.Sql => {
  const lately = Prisma.sql`extract(epoch FROM now() - bulk_jobs.touched_at) * 1000 / ${Math.max(1, addresses)}`;
  return Prisma.sql`touched_at = now(), address_ms = coalesce(0.8 * bulk_jobs.address_ms + 0.2 * ${lately}, ${lately})`;
};

/** The verdicts as rows `r`, a text a column (see text-lines.ts). */
const rowsWith = (verdicts: readonly BulkVerdict[]): Prisma.Sql => {
  const column = (read: (verdict: BulkVerdict) => string) => toLines(verdicts, read);
  return Prisma.sql`unnest(
    string_to_array(${column(({ number }) => String(number))}, E'\\n')::int[],
    string_to_array(${column(({ decision }) => decision)}, E'\\n'),
    string_to_array(${column(({ riskScore }) => String(riskScore))}, E'\\n')::smallint[],
    string_to_array(${column(({ signals }) => String(signals.disposable_email))}, E'\\n')::bool[],
    string_to_array(${column(({ signals }) => String(signals.mx_valid))}, E'\\n')::bool[],
    string_to_array(${column(({ signals }) => String(signals.free_provider))}, E'\\n')::bool[],
    string_to_array(${column(({ reasons }) => JSON.stringify(reasons))}, E'\\n')::jsonb[],
    string_to_array(${column(({ logId }) => logId)}, E'\\n'),
    string_to_array(${column(({ unknown }) => String(unknown))}, E'\\n')::bool[],
    string_to_array(${column(({ checkedAt }) => checkedAt ?? '')}, E'\\n', '')::timestamptz[]
  ) AS r(number, decision, risk_score, disposable_email, mx_valid, free_provider, reasons, log_id, unknown, checked_at)`;
};

const countOf = (verdicts: readonly BulkVerdict[], decision: Decision): number =>
  verdicts.filter((verdict) => verdict.decision === decision).length;

/** Stores the verdicts and completes the chunk in one statement; a second call changes nothing. */
export async function finishChunk(
  db: Database,
  { id, done, addresses }: Pick<RunningBulkJob, 'id' | 'done' | 'addresses'>,
  { to, attempt, asked }: { readonly to: number; readonly attempt: number; readonly asked: number },
  verdicts: readonly BulkVerdict[],
): Promise<void> {
  const moved = done < addresses ? Prisma.sql`done = ${to}` : Prisma.sql`again_after = ${to - 1}`;
  await db.$executeRaw`
    WITH moved AS (
      UPDATE bulk_jobs SET ${moved}, chunk_to = NULL, ${paced(asked)},
        allowed = allowed + ${countOf(verdicts, 'allow')}, challenged = challenged + ${countOf(verdicts, 'challenge')},
        reviewed = reviewed + ${countOf(verdicts, 'review')}, blocked = blocked + ${countOf(verdicts, 'block')},
        unknown = unknown + ${verdicts.filter(({ unknown }) => unknown).length},
        dns_answered = dns_answered OR ${verdicts.some(({ dnsAnswered }) => dnsAnswered)}
      WHERE id = ${id} AND done = ${done} AND chunk_attempt = ${attempt} AND chunk_to IS NOT NULL
      RETURNING id
    )
    UPDATE bulk_addresses a SET decision = r.decision, risk_score = r.risk_score,
      disposable_email = r.disposable_email, mx_valid = r.mx_valid, free_provider = r.free_provider,
      reasons = r.reasons, unknown = r.unknown, log_id = r.log_id, checked_at = r.checked_at
    FROM moved, ${rowsWith(verdicts)}
    WHERE a.job_id = moved.id AND a.number = r.number AND a.email IS NOT NULL`;
}
