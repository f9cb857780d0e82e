import type { Changed } from '@verdict/db/accounts/change-account.js';
import { markProjected } from '@verdict/db/accounts/outbox.js';
import type { Database } from '@verdict/db/database/client.js';
import type { ListEntryRow } from '@verdict/db/lists/list-entries.js';
import { projectListChange } from '@verdict/redis-store/project-list-change.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';

interface ListProjection extends AccountStore {
  readonly db: Database;
  readonly project: (accountId: string) => Promise<boolean>;
}

/** Beyond this many entries the whole list is as cheap as the change. */
const CHANGE_ENTRIES_MAX = 2_000;

/** Brings one change of the lists to Redis; as a change when it is the very next version, else with all the rest. */
export async function projectLists(
  stores: ListProjection,
  accountId: string,
  kind: 'added' | 'removed',
  { rows, version, previousListsVersion }: Changed<ListEntryRow>,
): Promise<void> {
  const { db, project } = stores;
  const applied =
    rows.length <= CHANGE_ENTRIES_MAX &&
    !rows.some(({ kind: listed, match }) => listed === 'network' || match === 'mx') &&
    (await projectListChange(stores, {
      accountId,
      version,
      previousListsVersion,
      added: kind === 'added' ? rows : [],
      removed: kind === 'removed' ? rows : [],
    }));
  if (applied) await markProjected(db, accountId, version);
  else await project(accountId);
}
