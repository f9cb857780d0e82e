import type { RedisConnection } from './connect.js';
import { accountKey, reservedKey } from './keys.js';
import { loadScript } from './script.js';

const runRefund = loadScript('refund.lua');

export interface Refund {
  readonly logId: string;
  /** The month it was charged to: that of its created_at. */
  readonly month: string;
}

/** Gives admitted checks back; returns how many really were (a second refund of the same id is none). */
export async function refund(
  redis: RedisConnection,
  accountId: string,
  refunds: readonly Refund[],
): Promise<number> {
  const args = refunds.flatMap(({ logId, month }) => [logId, month]);
  return (await runRefund(redis, [accountKey(accountId), reservedKey(accountId)], args)) as number;
}
