import redactRecordLua from '../lua/redact-record.lua';
import type { RedisConnection } from './connect.js';
import { RECORD_PATTERN } from './keys.js';
import { scanKeys } from './scan-keys.js';
import { loadScript } from './script.js';

const runRedact = loadScript(redactRecordLua);

/**
 * Rewrites what requests with an Idempotency-Key left; returns how many. They would expire within a day, but an erasure
 * should not have to wait for that. `redact` gives the new text, or null for one that may stay.
 */
export async function redactRecords(
  redis: RedisConnection,
  redact: (record: string) => string | null,
): Promise<number> {
  let redacted = 0;
  for await (const keys of scanKeys(redis, RECORD_PATTERN)) {
    for (const key of keys) redacted += await redactOne(redis, key, redact);
  }
  return redacted;
}

async function redactOne(
  redis: RedisConnection,
  key: string,
  redact: (record: string) => string | null,
): Promise<number> {
  for (;;) {
    const record = await redis.get(key);
    const redacted = record === null ? null : redact(record);
    if (record === null || redacted === null) return 0;
    if ((await runRedact(redis, [key], [record, redacted])) === 1) return 1;
  }
}
