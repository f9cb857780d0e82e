import { findUnprojected } from '@verdict/db/accounts/outbox.js';
import type { Database } from '@verdict/db/database/client.js';
import type { Logger } from '@verdict/service-kit/logger.js';

interface RelayOptions {
  readonly db: Database;
  readonly project: (accountId: string) => Promise<boolean>;
  readonly onHealed: () => void;
  readonly log: Logger;
}

const ACCOUNTS_PER_ROUND_MAX = 100;
const FAILURES_IN_ROW_MAX = 3;

/**
 * Finishes what requests began: accounts whose newest version did not reach Redis, because the process died between
 * commit and projection or because Redis was away. Every replica does it; doing it twice is harmless, because Redis
 * refuses what is not newer. Returns how many there were.
 */
export async function relayOnce({ db, project, onHealed, log }: RelayOptions): Promise<number> {
  const accountIds = await findUnprojected(db, ACCOUNTS_PER_ROUND_MAX);
  let failure: unknown;
  let failuresInRow = 0;
  for (const accountId of accountIds) {
    try {
      await project(accountId);
      failuresInRow = 0;
      onHealed();
      log.warn({ accountId }, 'projected an account that a request left behind');
    } catch (error) {
      // One account that cannot be projected must not stop the others; three in a row are an outage.
      failure = error;
      if (++failuresInRow === FAILURES_IN_ROW_MAX) break;
    }
  }
  if (failure !== undefined) throw failure;
  return accountIds.length;
}
