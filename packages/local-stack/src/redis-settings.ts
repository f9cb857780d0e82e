import { Redis } from 'ioredis';

/**
 * An answer is sent once its log is in the queue, so the queue must survive a crash: every write is synced before it is
 * acknowledged, and nothing is ever evicted.
 */
export const DURABLE = {
  bind: '127.0.0.1',
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
  'maxmemory-policy': 'noeviction',
} as const;

export const asArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);

/** Redis refuses to start when the locale of the caller is not installed. */
export const REDIS_ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C' };

/** True once it has loaded its file: until then it answers LOADING. */
export async function answersPing(url: string, authority?: Buffer): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    ...(authority ? { tls: { ca: authority } } : {}),
  });
  client.on('error', () => {}); // refused until it listens; the answer below is what counts
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
