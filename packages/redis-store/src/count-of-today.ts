import { accountKey } from './keys.js';
import type { AccountStore } from './shards.js';

const DAY_MS = 86_400_000;

/** Fields of the account hash that hold "<day> <count>". */
const FIELDS = {
  /** Things that steps forgot, because the week had more than the plan counts. */
  forgotten: 'f',
  /** Verdicts that test keys, tries and evidence took. */
  unmetered: 'd',
};

/** Reads a count of an account for the UTC day of `now`. */
export async function countOfToday(
  { redis, shards }: AccountStore,
  accountId: string,
  name: keyof typeof FIELDS,
  now: number,
): Promise<number> {
  const text = await redis.hget(accountKey(accountId, shards), FIELDS[name]);
  const [day, count] = (text ?? '').split(' ').map(Number);
  return day === Math.floor(now / DAY_MS) ? (count ?? 0) : 0;
}
