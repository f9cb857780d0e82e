import { setTimeout as delay } from 'node:timers/promises';
import type { TcpProxy } from '@verdict/local-stack/start-proxy.js';
import type { TestRedis } from '@verdict/local-stack/start-redis.js';
import type { OpenMetering } from './open-metering.js';
import type { SettableClock } from './settable-clock.js';

/** Something that leaves every process alive and passes. */
export interface Disturbance {
  readonly name: string;
  run(): Promise<void>;
}

interface Parts {
  readonly redis: TestRedis;
  /** Between services and Redis. */
  readonly link: TcpProxy;
  readonly metering: OpenMetering;
  /** By whose they are; none on a machine on which clocks cannot be set. */
  readonly clocks: Readonly<Record<string, SettableClock>>;
}

const HOUR_MS = 3_600_000;
/** Longer than a request waits for Redis, and than its connection is kept when it says nothing. */
const SILENCE_MS = 4_000;
const FULL_MS = 300;
const JUMP_MS = 1_500;

export function disturbances({ redis, link, metering, clocks }: Parts): Disturbance[] {
  const limitMemory = (bytes: number) => metering.redis.config('SET', 'maxmemory', bytes);
  const jumps = Object.entries(clocks).flatMap(([whose, clock]) =>
    [25 * HOUR_MS, -HOUR_MS].map((byMs) => ({
      name: `clock of ${whose} ${byMs > 0 ? 'a day ahead' : 'an hour back'}`,
      async run() {
        clock.move(byMs);
        await delay(JUMP_MS);
        clock.move(-byMs);
      },
    })),
  );
  return [
    {
      name: 'scripts forgotten',
      async run() {
        await metering.redis.script('FLUSH');
      },
    },
    {
      name: 'memory full',
      async run() {
        await limitMemory(1_000_000);
        await delay(FULL_MS);
        await limitMemory(0);
      },
    },
    {
      name: 'frozen',
      async run() {
        redis.signal('SIGSTOP');
        await delay(SILENCE_MS);
        redis.signal('SIGCONT');
      },
    },
    {
      name: 'packets dropped',
      async run() {
        link.hush();
        await delay(SILENCE_MS);
        link.restore();
      },
    },
    {
      name: 'connections cut',
      async run() {
        link.cut();
        link.restore();
      },
    },
    ...jumps,
  ];
}
