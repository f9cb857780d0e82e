import redactRecordLua from '../lua/redact-record.lua';
import type { RedisConnection } from './connect.js';
import { RECORD_PATTERN } from './keys.js';
import { scanKeys } from './scan-keys.js';
import { loadScript } from './script.js';

const runRedact = loadScript(redactRecordLua);

/**
 * Rewrites idempotency records; returns how many. They would expire within a day, but an erasure should not wait for
 * that; `redact` returns the new text, or null to keep the old one.
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
