import type { IpFingerprint } from '@verdict/admission/create-fingerprints.js';
import { commonIpOfDay, findUndecidedProxies, noteOwnProxy } from '@verdict/db/accounts/own-proxies.js';
import type { Database } from '@verdict/db/database/client.js';
import { isOwnProxy, PROXY_CHECKS_MIN } from '../usage/own-proxy.js';

interface OwnProxyOptions {
  readonly db: Database;
  readonly project: (accountId: string) => Promise<boolean>;
  readonly ipFingerprint: IpFingerprint;
}

const HOUR_MS = 3_600_000;
/** Workers have stored the last checks of a day by then. */
const GRACE_MS = HOUR_MS;

/**
 * Finds the customers' own proxies by the last completed UTC day, so that no caller can switch a count off within the
 * day. Every replica does it: a day is noted once for each account.
 */
export async function findOwnProxies(
  { db, project, ipFingerprint }: OwnProxyOptions,
  now: Date,
): Promise<void> {
  const day = new Date(now.getTime() - GRACE_MS - 24 * HOUR_MS).toISOString().slice(0, 10);
  for (const accountId of await findUndecidedProxies(db, day, PROXY_CHECKS_MIN)) {
    const common = await commonIpOfDay(db, accountId, day);
    const proxy = common && isOwnProxy(common) ? ipFingerprint(accountId, common.ip) : null;
    if (await noteOwnProxy(db, accountId, day, proxy)) await project(accountId);
  }
}
