import { type AccountSearches, searchesOf } from '@verdict/db/accounts/account-searches.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { inTurn, type Wait } from '@verdict/shares/in-turn.js';
import { monotonicMs } from '@verdict/shares/monotonic-ms.js';
import { createSemaphore, type Refusal } from '@verdict/shares/semaphore.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';

/** At a time, on connections that nothing else has. */
const SEARCHES = 2;
const QUEUE = 64;
const QUICK_MS = 500;
const LONG_MS = 5_000;
/** Whose search was long goes among the long ones for a minute. */
const QUICK_ONES = { burst: 1, perSecond: 1 / 60, ownersMax: 10_000 };

export type Search = ReturnType<typeof createSearches>['search'];

/**
 * The searches of accounts, which may read a month of rows. One that does not end soon begins again among the long ones,
 * so that no usual search waits for those that find no end.
 */
export function createSearches(url: string, refusal: (why: Refusal) => Error) {
  const quick = connectLane('control-plane-search', QUICK_MS);
  const long = connectLane('control-plane-long-search', LONG_MS);
  const quickOnes = createTokenBuckets(QUICK_ONES);
  const isLong = quickOnes.isEmpty;

  function connectLane(name: string, statementMs: number) {
    const db = connectDatabase({ url, name, connectionsMax: SEARCHES, statementMs });
    const turns = createSemaphore({ capacity: SEARCHES, queueMax: QUEUE });
    /** Notes whose search was long, also where it failed. */
    const run = async <T>(accountId: string, work: Work<T>): Promise<T> => {
      const begun = monotonicMs();
      try {
        return await work(searchesOf(db, accountId));
      } finally {
        if (monotonicMs() - begun >= QUICK_MS) quickOnes.spend(accountId, 1);
      }
    };
    return { db, turns, run };
  }

  /** Null where the search has to go among the long ones. */
  const runQuickly = <T>(accountId: string, work: Work<T>): Promise<{ found: T } | null> =>
    isLong(accountId)
      ? Promise.resolve(null)
      : quick.run(accountId, work).then(
          (found) => ({ found }),
          (error) => {
            if (isLong(accountId)) return null;
            throw error;
          },
        );

  return {
    /** Runs a search of an account, one at a time where others search too: the only way to the connections of searches. */
    async search<T>(accountId: string, work: Work<T>, wait: Wait): Promise<T> {
      const turn = { ...wait, owners: [accountId], refusal };
      const ended = isLong(accountId)
        ? null
        : await inTurn(quick.turns, () => runQuickly(accountId, work), turn);
      return ended ? ended.found : inTurn(long.turns, () => long.run(accountId, work), turn);
    },
    disconnect: () => Promise.all([quick.db.$disconnect(), long.db.$disconnect()]),
  };
}

type Work<T> = (searches: AccountSearches) => Promise<T>;
