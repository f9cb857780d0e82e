import type { RedisConnection } from './connect.js';

const WANTED = {
  appendonly: 'yes',
  appendfsync: 'always',
  // Else a rewrite of the file suspends what appendfsync promises, for as long as it takes.
  'no-appendfsync-on-rewrite': 'no',
  'maxmemory-policy': 'noeviction',
} as const;

/** The unsafe settings of this Redis, one sentence each; empty when an answered check cannot be lost. */
export async function durabilityWarnings(redis: RedisConnection): Promise<string[]> {
  let settings: Map<string, string>;
  try {
    settings = await readSettings(redis);
  } catch {
    return [
      'Redis does not let us read its settings: make sure it runs with appendonly yes, appendfsync always, no-appendfsync-on-rewrite no and maxmemory-policy noeviction',
    ];
  }
  return Object.entries(WANTED)
    .filter(([name, wanted]) => settings.get(name) !== wanted)
    .map(
      ([name, wanted]) =>
        `Redis runs with ${name} ${settings.get(name) ?? 'unknown'} instead of ${wanted}: answered checks can be lost`,
    );
}

async function readSettings(redis: RedisConnection): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const name of Object.keys(WANTED)) {
    const reply = (await redis.call('CONFIG', 'GET', name)) as unknown;
    const [key, value] = Array.isArray(reply)
      ? reply.map(String)
      : Object.entries(reply as object)
          .flat()
          .map(String);
    if (key !== undefined && value !== undefined) settings.set(key, value);
  }
  return settings;
}
