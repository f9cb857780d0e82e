import type { ListedValue } from '@verdict/domain/account-list.js';
import packAccountLua from '../lua/pack-account.lua';
import projectListChangeLua from '../lua/project-list-change.lua';
import { accountKey, listsKey } from './keys.js';
import { listField, listText } from './list-fields.js';
import { loadScript } from './script.js';
import type { AccountStore } from './shards.js';

const runProjectListChange = loadScript(`${packAccountLua}\n${projectListChangeLua}`);

/** One change of an account's lists, between two consecutive versions of the account. */
export interface ListChange {
  readonly accountId: string;
  readonly version: number;
  readonly previousListsVersion: number;
  /** No networks and no mail servers: their marks follow from the whole list. */
  readonly added: readonly ListedValue[];
  /** Entries that are on no list any more. */
  readonly removed: readonly ListedValue[];
}

/** False when versions are missing in between: then the whole account must be projected. */
export async function projectListChange(
  { redis, shards }: AccountStore,
  change: ListChange,
): Promise<boolean> {
  const { accountId, version, previousListsVersion, added, removed } = change;
  const args = [
    version,
    previousListsVersion,
    ...added.flatMap((entry) => [listField(entry), listText(entry)]),
    ...removed.flatMap((entry) => [listField(entry), '']),
  ];
  const keys = [accountKey(accountId, shards), listsKey(accountId, shards)];
  return (await runProjectListChange(redis, keys, args)) !== -1;
}
