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
 * Projects accounts whose newest version did not reach Redis, because a process died or Redis was down; returns how
 * many. Every replica does it, which is harmless because Redis refuses older versions.
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
