import expireNotesLua from '../lua/expire-notes.lua';
import takeNotesLua from '../lua/take-notes.lua';
import type { RedisConnection } from './connect.js';
import { noteKey } from './keys.js';
import { loadScript } from './script.js';

const runTake = loadScript(takeNotesLua);
const runExpire = loadScript(expireNotesLua);

/** As long as a batch may still be sent again, and more: see lua/step/begin.lua. */
const NOTE_SECONDS = 120;

/** The notes of these batches of one shard, as text. A batch without one is void from now on. */
export async function takeNotes(
  redis: RedisConnection,
  shard: number,
  batchIds: readonly string[],
): Promise<string[]> {
  if (batchIds.length === 0) return [];
  const keys = batchIds.map((batchId) => noteKey(shard, batchId));
  return (await runTake(redis, keys, [NOTE_SECONDS])) as string[];
}

/** Notes of these batches that are still there, as text: for looking, not for deciding. */
export const readNotes = (
  redis: RedisConnection,
  shard: number,
  batchIds: readonly string[],
): Promise<(string | null)[]> =>
  batchIds.length === 0
    ? Promise.resolve([])
    : redis.mget(...batchIds.map((batchId) => noteKey(shard, batchId)));

/**
 * Lets the notes of stored batches expire; until then they answer a step that is sent again. A note that has its end keeps
 * it, so that asking does not renew it.
 */
export async function letNotesExpire(
  redis: RedisConnection,
  shard: number,
  batchIds: readonly string[],
): Promise<void> {
  if (batchIds.length === 0) return;
  const keys = batchIds.map((batchId) => noteKey(shard, batchId));
  await runExpire(redis, keys, [NOTE_SECONDS]);
}
