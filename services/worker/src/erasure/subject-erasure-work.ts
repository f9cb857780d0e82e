import { holdsErasedChunks, unparsedFiles } from '@verdict/db/erasure/erase-subject.js';
import {
  eraseOwnSubject,
  type TakenErasure,
  takeSubjectErasures,
} from '@verdict/db/erasure/subject-erasures.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import type { Metering } from '@verdict/metering/metering.js';
import { REQUEST_LIFE_MAX_MS } from '@verdict/metering/request-life.js';
import { holdsJobsBefore } from '@verdict/queues/backlog.js';

const AGAIN_AFTER_MS = 5_000;
/** The daily retention erases checks that a queue holds for longer. */
const QUEUED_MAX_MS = 3_600_000;

type Dependencies = Pick<Metering, 'db' | 'redis' | 'shards'>;

/** Erases people for accounts: immediately what is stored, and once more when nothing from before is queued. */
export const subjectErasureWork = (deps: Dependencies): Work<TakenErasure> => ({
  queue: QUEUES.subjectErasures,
  take: (places) => takeSubjectErasures(deps.db, places),
  async run(taken) {
    const isLast = await isOver(deps, Date.parse(taken.requested_at));
    await eraseOwnSubject(deps.db, taken, isLast);
    return isLast ? null : AGAIN_AFTER_MS;
  },
});

/** Whether checks from before a moment are stored, as eraseAddress waits for it. */
async function isOver({ db, redis, shards }: Dependencies, atMs: number): Promise<boolean> {
  const untilMs = atMs + REQUEST_LIFE_MAX_MS;
  if (Date.now() <= untilMs) return false;
  if (Date.now() > atMs + QUEUED_MAX_MS) return true;
  return (
    (await unparsedFiles(db)).length === 0 &&
    !(await holdsErasedChunks(db)) &&
    !(await holdsJobsBefore(redis, shards, untilMs))
  );
}
