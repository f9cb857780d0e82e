import { hookOwnerKey, hooksKey } from './keys.js';
import type { AccountStore } from './shards.js';

/** A sign-up hook as gateways know it. */
export interface ProjectedHook {
  readonly id: string;
  readonly kind: string;
  readonly keyId: string;
  readonly refuse: readonly string[];
  readonly onError: 'allow' | 'refuse';
  readonly message: string;
  /** Sealed, see createHookSealer in the domain. */
  readonly secret: string;
}

export const projectedHookText = (hook: ProjectedHook): string => JSON.stringify(hook);

export const readHookText = (text: string): ProjectedHook => JSON.parse(text) as ProjectedHook;

/** Whose hook it is; null when Redis does not know. Never changes, so it may be cached for ever. */
export const readHookOwner = (
  { redis }: Pick<AccountStore, 'redis'>,
  hookId: string,
): Promise<string | null> => redis.get(hookOwnerKey(hookId));

export async function writeHookOwner(
  { redis }: Pick<AccountStore, 'redis'>,
  hookId: string,
  accountId: string,
): Promise<void> {
  await redis.set(hookOwnerKey(hookId), accountId);
}

/** Null when the account has no such hook, or Redis has lost the account. */
export async function readHook(
  { redis, shards }: AccountStore,
  accountId: string,
  hookId: string,
): Promise<ProjectedHook | null> {
  const text = await redis.hget(hooksKey(accountId, shards), hookId);
  return text === null ? null : readHookText(text);
}
