import type { Changed } from '@verdict/db/change-account.js';
import type { Database } from '@verdict/db/client.js';
import type { ListEntryRow } from '@verdict/db/list-entries.js';
import { markProjected } from '@verdict/db/outbox.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { projectListChange } from '@verdict/redis-store/project-list-change.js';

interface ListProjection {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly project: (accountId: string) => Promise<boolean>;
}

/** Beyond this many entries the whole list is as cheap as the change. */
const CHANGE_ENTRIES_MAX = 2_000;

/** Brings one change of the lists to Redis; as a change when it is the very next version, else with all the rest. */
export async function projectLists(
  { db, redis, project }: ListProjection,
  accountId: string,
  kind: 'added' | 'removed',
  { rows, version, previousListsVersion }: Changed<ListEntryRow>,
): Promise<void> {
  const applied =
    rows.length <= CHANGE_ENTRIES_MAX &&
    (await projectListChange(redis, {
      accountId,
      version,
      previousListsVersion,
      added: kind === 'added' ? rows : [],
      removed: kind === 'removed' ? rows.map(({ value }) => value) : [],
    }));
  if (applied) await markProjected(db, accountId, version);
  else await project(accountId);
}
