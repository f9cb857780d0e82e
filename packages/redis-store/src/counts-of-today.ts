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

/** Reads the counts of an account for the UTC day of `now`. */
export async function countsOfToday(
  { redis, shards }: AccountStore,
  accountId: string,
  now: number,
): Promise<Record<keyof typeof FIELDS, number>> {
  const [forgotten, unmetered] = await redis.hmget(
    accountKey(accountId, shards),
    FIELDS.forgotten,
    FIELDS.unmetered,
  );
  return { forgotten: countOf(forgotten, now), unmetered: countOf(unmetered, now) };
}

function countOf(text: string | null | undefined, now: number): number {
  const [day, count] = (text ?? '').split(' ').map(Number);
  return day === Math.floor(now / DAY_MS) ? (count ?? 0) : 0;
}
