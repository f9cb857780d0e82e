import type { Database } from '@verdict/db/database/client.js';
import { failSecondLook, type TakenLook, takeSecondLooks } from '@verdict/db/revisions/second-look-queue.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { PolicyRules } from '../policies/policy-rules.js';
import { reviseChecks } from './revise-checks.js';
import { searchChecks } from './search-checks.js';

export interface SecondLookDependencies {
  readonly db: Database;
  readonly policyRules: PolicyRules;
  readonly scoring: Pick<ScoringClient, 'secondLook'>;
  readonly log: Logger;
}

/** A long look gives way after so long, so that a worker that stops is never waited for. */
const TURN_MS = 5_000;
/** Scoring has a release some seconds after it came into force. */
const SCORING_BEHIND_MS = 60_000;

/** Finds the stored checks on names whose listing changed, and revises those that would be decided differently. */
export const secondLookWork = (deps: SecondLookDependencies): Work<TakenLook> => ({
  queue: QUEUES.secondLooks,
  take: (places) => takeSecondLooks(deps.db, places),
  async run(look, closing) {
    const until = performance.now() + TURN_MS;
    const isOver = () => closing.aborted || performance.now() > until;
    if (look.status === 'searching') return (await searchChecks(deps, look, isOver)) ? 0 : null;
    const state = await reviseChecks(deps, look, isOver);
    if (state === 'behind') return SCORING_BEHIND_MS;
    return state === 'done' ? null : 0;
  },
  async giveUp(look) {
    await failSecondLook(deps.db, look);
    deps.log.error({ release: look.release }, 'the second look at stored checks made no progress and ended');
  },
});
