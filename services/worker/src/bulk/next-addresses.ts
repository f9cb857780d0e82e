import { ASKING_ROUNDS_MAX } from '@verdict/contracts/jobs-api.js';
import {
  type BulkAddress,
  endRound,
  readBulkAddresses,
  readWaitingAddresses,
} from '@verdict/db/bulk/bulk-chunks.js';
import { completeBulkJob, type RunningBulkJob } from '@verdict/db/bulk/bulk-lease.js';
import type { Database } from '@verdict/db/database/client.js';
import type { AfterMs } from '@verdict/db/work/run-work.js';

/** The wait between two rounds of asking DNS again. */
const ROUND_PAUSE_MS = 5_000;

/** A stretch of a job and its addresses that have no verdict yet. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly addresses: readonly BulkAddress[];
}

/** The addresses of a chunk that was begun: those that did not leave it. */
export async function begunAddresses(db: Database, job: RunningBulkJob, to: number): Promise<Stretch> {
  const from = startOf(job);
  const addresses = await readBulkAddresses(db, job.id, from, to);
  return { from, to, addresses: addresses.filter(({ unknown }) => !unknown) };
}

/**
 * The next addresses: first all of them, then in rounds those that DNS left unknown. A time where there is nothing to
 * do now, null when the job is complete.
 */
export async function nextAddresses(
  db: Database,
  job: RunningBulkJob,
  countMax: number,
): Promise<Stretch | AfterMs> {
  const from = startOf(job);
  if (job.done < job.addresses) {
    const to = Math.min(job.addresses, from + countMax);
    return { from, to, addresses: await readBulkAddresses(db, job.id, from, to) };
  }
  const addresses = await readWaitingAddresses(db, job.id, from, countMax);
  const last = addresses.at(-1);
  if (last) return { from, to: last.number + 1, addresses };
  const isOver = from === 0 || job.again_round >= ASKING_ROUNDS_MAX;
  if (!isOver) await endRound(db, job, job.again_round + 1);
  else await completeBulkJob(db, job.id);
  return isOver ? null : ROUND_PAUSE_MS;
}

const startOf = ({ done, addresses, again_after }: RunningBulkJob): number =>
  done < addresses ? done : again_after + 1;
