import { readBacklog } from '@verdict/queues/backlog.js';
import { notedShards } from '@verdict/redis-store/agree-on-shards.js';
import { forgetProjections } from '@verdict/redis-store/forget-projections.js';
import type { Metering } from './metering.js';

export interface ShardsChange {
  readonly from: number | null;
  readonly to: number;
  /** Keys that were dropped; each account is projected again when it is next asked for. */
  readonly dropped: number;
}

/**
 * Distributes the accounts of a Redis over another number of shards. Postgres knows everything about them except the
 * queue, so the queue must be empty and stay so: gateways stopped, workers finished, dead letters resolved.
 */
export async function changeShards(
  { redis, deadLetters }: Pick<Metering, 'redis' | 'deadLetters'>,
  to: number,
): Promise<ShardsChange> {
  const from = await notedShards(redis);
  // A Redis of release 0.1.0 has no such note, and no installation had more queues than this.
  const { oldestMs } = await readBacklog(redis, from ?? 64);
  if (oldestMs !== null) {
    throw new Error(
      'the queue still holds checks: stop gateways and workers, let one worker without SCORING_URLS finish, and try again',
    );
  }
  const letters = await deadLetters.count();
  if (letters > 0) {
    throw new Error(`${letters} dead letters hold checks that are counted: retry or discard them first`);
  }
  return { from, to, dropped: await forgetProjections({ redis, shards: to }) };
}
