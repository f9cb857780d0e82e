import { grantedChecks } from '@verdict/admission/granted-checks.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { BulkVerdict } from '@verdict/db/bulk/bulk-chunks.js';
import { readLoggedChecks } from '@verdict/db/checks/logged-checks.js';
import type { Database } from '@verdict/db/database/client.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import { fromLoggedCheck, toBulkVerdict } from './to-bulk-verdict.js';

/** Some checks of a chunk are in Postgres and others are on their way: it was granted, and has to be waited for. */
export class ChunkOnItsWay extends Error {
  override name = 'ChunkOnItsWay';
}

interface Stores {
  readonly db: Database;
  readonly deadLetters: DeadLetters;
}

export interface Candidate {
  readonly number: number;
  readonly logId: string;
}

/**
 * The verdicts of a chunk that was granted before; null when nothing says that it was. A chunk is granted as a whole, so
 * one trace of it is enough: a row in Postgres, or a dead letter.
 */
export async function findGranted(
  { db, deadLetters }: Stores,
  candidates: readonly Candidate[],
  begunMs: number,
): Promise<BulkVerdict[] | null> {
  const ids = candidates.map(({ logId }) => logId);
  const rows = await readLoggedChecks(db, ids, begunMs);
  const found = new Map(rows.map((row) => [row.id, row]));
  const setAside = found.size === ids.length ? new Map() : await findSetAside(deadLetters, new Set(ids));
  if (found.size === 0 && setAside.size === 0) return null;
  return candidates.map((candidate) => {
    const row = found.get(candidate.logId);
    if (row) return fromLoggedCheck(candidate, row);
    const letter = setAside.get(candidate.logId);
    if (!letter) throw new ChunkOnItsWay(`${candidate.logId} was granted and is not in Postgres yet`);
    return toBulkVerdict(candidate, letter.verdict, letter.match);
  });
}

async function findSetAside(deadLetters: DeadLetters, ids: ReadonlySet<string>) {
  const found = new Map();
  for (const { logIds, payload } of await deadLetters.list()) {
    if (!logIds.some((id) => ids.has(id))) continue;
    const job = payload as CheckLogJob;
    if (!job.note) continue;
    for (const { check, match } of grantedChecks(job, job.note)) {
      if (ids.has(check.id)) found.set(check.id, { verdict: job.verdicts[check.verdict], match });
    }
  }
  return found;
}
