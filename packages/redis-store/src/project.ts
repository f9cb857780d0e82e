import type { RedisConnection } from './connect.js';
import { accountKey, listsKey } from './keys.js';
import { loadScript } from './script.js';

const runProject = loadScript('project.lua');
const runProjectLists = loadScript('project-lists.lua');

export interface Credential {
  /** Tag of a secret (credentialOfHash) or a key id. */
  readonly name: string;
  /** active, inactive, or "until:<microseconds>" for a secret that was rolled. */
  readonly status: string;
}

/** Everything the gateway must know about an account, as Postgres had it at one version. */
export interface AccountProjection {
  readonly accountId: string;
  readonly version: number;
  readonly plan: string;
  readonly limit: number;
  readonly rate: number;
  /** The count of the running month by the rollups; used only when Redis has lost the account. */
  readonly month: string;
  readonly used: number;
  readonly credentials: readonly Credential[];
}

/** False when Redis already had this version or a newer one. */
export async function projectAccount(
  redis: RedisConnection,
  projection: AccountProjection,
): Promise<boolean> {
  const { accountId, version, plan, limit, rate, month, used, credentials } = projection;
  const args = [
    version,
    plan,
    limit,
    rate,
    month,
    used,
    ...credentials.flatMap(({ name, status }) => [name, status]),
  ];
  return (await runProject(redis, [accountKey(accountId)], args)) === 1;
}

export interface ListedValue {
  readonly value: string;
  readonly list: 'allow' | 'block';
  readonly kind: 'address' | 'domain' | 'ip';
}

/** False when Redis already had these lists or newer ones. The account itself must have been projected before. */
export async function projectLists(
  redis: RedisConnection,
  accountId: string,
  version: number,
  entries: readonly ListedValue[],
): Promise<boolean> {
  const args = [version, ...entries.flatMap(({ value, list, kind }) => [value, `${list}:${kind}`])];
  return (await runProjectLists(redis, [accountKey(accountId), listsKey(accountId)], args)) === 1;
}
