import { Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';

/**
 * What `send` hands to Redis leaves in one write to the socket instead of one per command. On a cluster, commands go to
 * different nodes anyway, and nothing is held back.
 */
export function inOneWrite<T>(redis: RedisConnection, send: () => T): T {
  const stream = redis instanceof Redis && redis.status === 'ready' ? redis.stream : null;
  stream?.cork();
  try {
    return send();
  } finally {
    stream?.uncork();
  }
}
