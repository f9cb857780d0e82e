import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { idempotencyKey } from './keys.js';
import { loadScript } from './script.js';

const runRedact = loadScript('redact-answer.lua');

/**
 * Rewrites remembered answers (see idempotency.ts); returns how many. They would expire within a day, but an erasure
 * should not have to wait for that. `redact` gives the new text, or null for one that may stay.
 */
export async function redactAnswers(
  redis: RedisConnection,
  redact: (answer: string) => string | null,
): Promise<number> {
  let redacted = 0;
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', idempotencyKey('*', '*'), 'COUNT', 1000);
      cursor = next;
      for (const key of keys) redacted += await redactOne(node, key, redact);
    } while (cursor !== '0');
  }
  return redacted;
}

async function redactOne(
  redis: RedisConnection,
  key: string,
  redact: (answer: string) => string | null,
): Promise<number> {
  for (;;) {
    const answer = await redis.hget(key, 'answer');
    const redacted = answer === null ? null : redact(answer);
    if (answer === null || redacted === null) return 0;
    if ((await runRedact(redis, [key], [answer, redacted])) === 1) return 1;
  }
}
