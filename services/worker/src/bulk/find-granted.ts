import { engineOfCheck, type Judge } from '@verdict/admission/engine.js';
import { type GrantedCheck, grantedChecks } from '@verdict/admission/granted-checks.js';
import type { CheckLogJob, DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { BulkVerdict } from '@verdict/db/bulk/store-verdicts.js';
import { readLoggedChecks } from '@verdict/db/checks/logged-checks.js';
import type { Database } from '@verdict/db/database/client.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RulesOfJob } from './rules-of-job.js';
import { fromLoggedCheck, toBulkVerdict } from './to-bulk-verdict.js';

/** A chunk was granted, and some of its checks are queued or wait for another release: it must be awaited. */
export class ChunkOnItsWay extends Error {
  override name = 'ChunkOnItsWay';
}

interface Stores {
  readonly db: Database;
  readonly deadLetters: DeadLetters;
  /** Whether the logs of a batch are still queued. */
  readonly isQueued: (accountId: string, batchId: string) => Promise<boolean>;
}

/** A chunk that was begun before. */
export interface BegunChunk {
  readonly accountId: string;
  readonly batchId: string;
  readonly begunMs: number;
  readonly ruledOf: RulesOfJob;
}

export interface Candidate {
  readonly number: number;
  readonly logId: string;
}

/**
 * The verdicts of a chunk that was granted before; null when nothing says that it was. A chunk is granted as a whole, so
 * one trace of it is enough: a row in Postgres, or a dead letter. A check that is neither, and not queued any more, was
 * discarded by an operator and has no verdict.
 */
export async function findGranted(
  { db, deadLetters, isQueued }: Stores,
  candidates: readonly Candidate[],
  { accountId, batchId, begunMs, ruledOf }: BegunChunk,
): Promise<BulkVerdict[] | null> {
  const ids = candidates.map(({ logId }) => logId);
  const read = async () =>
    new Map((await readLoggedChecks(db, accountId, ids, begunMs)).map((row) => [row.id, row]));
  let rows = await read();
  let setAside: ReadonlyMap<string, SetAside> = new Map();
  let onItsWay = false;
  if (rows.size < ids.length) {
    // In this order: whatever leaves the queue is a letter or a row before it is gone.
    onItsWay = await isQueued(accountId, batchId);
    setAside = await findSetAside(deadLetters, new Set(ids));
    rows = await read();
  }
  if (rows.size === 0 && setAside.size === 0) return null;
  return candidates.flatMap((candidate) => {
    const row = rows.get(candidate.logId);
    if (row) return fromLoggedCheck(candidate, row);
    const letter = setAside.get(candidate.logId);
    if (letter) {
      const { verdict, match, canonical, now, judge } = letter;
      if (!judge)
        throw new ChunkOnItsWay(`${candidate.logId} was judged by an engine that this worker lacks`);
      const named = { ...candidate, checkedAt: formatCreatedAt(now) };
      return toBulkVerdict(named, verdict, match, ruledOf(canonical, now), judge);
    }
    if (onItsWay) throw new ChunkOnItsWay(`${candidate.logId} was granted and is not in Postgres yet`);
    return [];
  });
}

/** A check of a dead letter, with the engine that judged it; undefined where this release does not have that. */
interface SetAside extends Pick<GrantedCheck, 'match'> {
  readonly verdict: DecidedVerdict;
  readonly canonical: string;
  readonly now: number;
  readonly judge: Judge | undefined;
}

async function findSetAside(
  deadLetters: DeadLetters,
  ids: ReadonlySet<string>,
): Promise<Map<string, SetAside>> {
  const found = new Map<string, SetAside>();
  for (const { logIds, payload } of await deadLetters.list()) {
    if (!logIds.some((id) => ids.has(id))) continue;
    const job = payload as CheckLogJob;
    if (!job.note) continue;
    for (const { check, match, policies } of grantedChecks(job, job.note)) {
      const verdict = job.verdicts[check.verdict];
      if (verdict && ids.has(check.id))
        found.set(check.id, {
          verdict,
          match,
          canonical: check.canonical,
          now: job.note.now,
          judge: engineOfCheck(job.engine, policies),
        });
    }
  }
  return found;
}
