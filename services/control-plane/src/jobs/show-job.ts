import type { Considered } from '@verdict/contracts/considered.js';
import { ASKING_ROUNDS_MAX, type BulkJob } from '@verdict/contracts/jobs-api.js';
import type { BulkJobRow, FileLayout } from '@verdict/db/bulk/bulk-job-row.js';

/** The account's remaining quota and the rate of its keys. */
export interface Allowance {
  readonly quotaLeft: number;
  readonly checksPerSecond: number;
}

/** Rows have no IP, and a list of customers repeats nothing. */
const CONSIDERED: Considered = ['lists', 'policy'];
const QUOTED = new Set(['ready', 'running', 'paused']);

/** A job as everybody sees it. Before its first chunk is done its pace is the plan's: jobs of one key share half of the rate. */
export function showJob(row: BulkJobRow, { quotaLeft, checksPerSecond }: Allowance): BulkJob {
  const { columns = [], column = null, others = [] } = JSON.parse(row.layout) as Partial<FileLayout>;
  // Addresses that DNS left unknown are counted at the end, when it is asked again.
  const left = row.again_left ?? row.addresses - row.done + row.unknown;
  const phase = phaseOf(row);
  const planned = ((row.running_beside + 1) * 1_000) / Math.max(1, checksPerSecond / 2);
  const seconds = Math.ceil((left * (row.address_ms ?? planned)) / 1_000);
  return {
    id: row.id,
    status: row.status,
    api_key_id: row.key_id,
    name: row.name,
    format: row.format,
    columns: [...columns],
    column: column === null ? null : (columns[column] ?? null),
    other_columns: others.map((i) => columns[i] ?? ''),
    rows: row.rows,
    distinct: row.addresses,
    malformed: row.malformed,
    // A job whose file is still being read knows its rows only.
    duplicates: row.status === 'parsing' ? 0 : Math.max(0, row.rows - row.malformed - row.addresses),
    done: row.done,
    by_decision: {
      allow: row.allowed,
      challenge: row.challenged,
      review: row.reviewed,
      block: row.blocked,
    },
    unknown: row.unknown,
    quote: QUOTED.has(row.status)
      ? { checks_needed: left, quota_left: quotaLeft, expected_seconds: seconds }
      : null,
    phase,
    asking_again:
      phase === 'asking_again'
        ? { round: Math.min(ASKING_ROUNDS_MAX, row.again_round + 1), left: row.again_left ?? 0 }
        : null,
    considered: CONSIDERED,
    seconds_left: row.status === 'running' ? seconds : null,
    paused_because: row.paused_because,
    failed_because: row.failed_because,
    failed_code: row.failed_code,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    expires_at: row.expires_at,
  };
}

function phaseOf({ status, again_left }: BulkJobRow): BulkJob['phase'] {
  if (status === 'parsing') return 'parsing';
  if (status !== 'running') return null;
  return again_left === null ? 'checking' : 'asking_again';
}
