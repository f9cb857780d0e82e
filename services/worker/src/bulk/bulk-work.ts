import { setTimeout as pause } from 'node:timers/promises';
import { type RunningBulkJob, takeBulkJobs } from '@verdict/db/bulk/bulk-lease.js';
import { renewLease } from '@verdict/db/work/lease.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { type ChunkDependencies, runChunk } from './run-chunk.js';
import { scorePatiently } from './score-patiently.js';

interface Options extends Omit<ChunkDependencies, 'score'> {
  readonly scoring: ScoringClient;
}

/** Runs bulk jobs a chunk at a time; between two chunks any worker may take the job. */
export function bulkWork({ scoring, ...options }: Options): Work<RunningBulkJob> {
  const { db } = options;
  /** New domains use a separate budget for bulk, so that the account's other checks keep theirs. */
  const score = async (emails: readonly string[], accountId: string) =>
    (await scoring.scoreAll({ emails, accountId: `bulk ${accountId}` })).map(({ verdict }) => verdict);

  return {
    queue: QUEUES.bulk,
    take: (places) => takeBulkJobs(db, places),
    run(job, closing) {
      const patience = {
        async pause(ms: number) {
          await pause(ms, undefined, { signal: closing }).catch(() => undefined);
          await renewLease(db, QUEUES.bulk, job);
        },
        isOver: () => closing.aborted,
      };
      const deps: ChunkDependencies = {
        ...options,
        score: (emails, accountId) => scorePatiently(score, emails, accountId, patience),
      };
      return runChunk(deps, job);
    },
  };
}
