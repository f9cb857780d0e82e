import { randomFillSync } from 'node:crypto';
import type { LookUp } from '@verdict/admission/look-up-networks.js';
import { accountsWithBursts } from '@verdict/db/bursts/burst-reading.js';
import { countBurst, endBurst, startBurst } from '@verdict/db/bursts/note-bursts.js';
import { type Repeated, readRepetitions } from '@verdict/db/bursts/repetitions.js';
import type { Database } from '@verdict/db/database/client.js';
import { goesOn, isBurst } from '@verdict/domain/bursts/is-burst.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { groupHours } from './group-hours.js';

const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));

/** The running hour, the one before, and one that a queue was late for. */
const RECENT_DAYS = 3 / 24;
/** Running bursts of one kind that an account hears of. */
const OF_KIND_MAX = 5;

interface Dependencies {
  readonly db: Database;
  /** Null without a scoring service. */
  readonly lookUp: LookUp | null;
}

/** Groups the checks of the last hours, and says for every account that had some what repeats in them. */
export async function watchBursts(deps: Dependencies): Promise<{ started: number; ended: number }> {
  const grouped = await groupHours(deps, { days: RECENT_DAYS, isGrown: true });
  const accounts = new Set([...grouped, ...(await accountsWithBursts(deps.db))]);
  const found = { started: 0, ended: 0 };
  for (const accountId of accounts) {
    const { started, ended } = await watchAccount(deps.db, accountId);
    found.started += started;
    found.ended += ended;
  }
  return found;
}

async function watchAccount(db: Database, accountId: string): Promise<{ started: number; ended: number }> {
  const repetitions = await readRepetitions(db, accountId);
  const goingOn: Repeated[] = [];
  let ended = 0;
  for (const repetition of repetitions) {
    if (repetition.burst === null) continue;
    if (goesOn(repetition)) {
      await countBurst(db, accountId, repetition.burst);
      goingOn.push(repetition);
    } else {
      await endBurst(db, accountId, repetition.burst);
      ended++;
    }
  }
  const begun = repetitions.filter((repetition) => repetition.burst === null && isBurst(repetition));
  let started = 0;
  for (const burst of withRoom(begun, goingOn))
    if (await startBurst(db, accountId, createId('bst'), burst)) started++;
  return { started, ended };
}

/** The first of each kind, as many as there is room for beside the running ones. */
function withRoom(begun: readonly Repeated[], goingOn: readonly Repeated[]): Repeated[] {
  const counts = new Map<string, number>();
  const next = ({ kind }: Repeated) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count;
  };
  for (const one of goingOn) next(one);
  return begun.filter((one) => next(one) <= OF_KIND_MAX);
}
