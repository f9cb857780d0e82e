import { readFileSync } from 'node:fs';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { startTestServer } from '@verdict/local-stack/test-server.js';
import { openMetering } from '../support/open-metering.js';
import { createClock } from '../support/settable-clock.js';

const PLANS_FILE = inRoot('test/failure/walk/plans.json');
export const PLANS: Plans = parsePlans(JSON.parse(readFileSync(PLANS_FILE, 'utf8')));

/** A walk begins in this month and ends in the next one, whatever the date is. */
export const MONTH = monthOf(new Date());
export const NEXT_MONTH = addMonths(MONTH, 1);
const TURN_MS = monthBounds(MONTH).end.getTime();
/** At noon, so that no walk reaches midnight before it turns the month. */
const START_MS = TURN_MS - 3.5 * 86_400_000;
const BEFORE_TURN_MS = 1_500;

/** No limit of these is the subject, and every customer comes from one address. */
const UNLIMITED = {
  REQUESTS_PER_MINUTE: 1_000_000,
  AUTH_FAILURES_PER_MINUTE: 1_000_000,
  REGISTRATIONS_PER_HOUR: 1_000_000,
  LOGIN_FAILURES_PER_ADDRESS: 1_000_000,
  LOGIN_FAILURES_PER_ACCOUNT: 1_000_000,
};

export type World = Awaited<ReturnType<typeof startWorld>>;
let started = 0;

/** Everything of a walk's own: two gateways and two workers, Postgres, Redis behind a proxy, and the time. */
export async function startWorld(library: string) {
  const clocks = {
    everybody: createClock(library),
    gateway: createClock(library),
    worker: createClock(library),
  };
  const setAll = (ms: number) => {
    for (const clock of Object.values(clocks)) clock.setTo(ms);
  };
  setAll(START_MS);
  const { environment } = clocks.everybody;
  const server = await startTestServer(
    `walk-postgres-${process.pid}-${started++}`,
    { fsync: 'off' },
    environment,
  );
  process.once('exit', server.stopNow);
  const all = { PLANS_FILE, ...environment };
  const stack = await startStack({
    gateways: 0,
    workers: 0,
    postgres: server.url,
    redis: { environment },
    env: {
      all,
      gateway: { BURSTS: 'on', ...UNLIMITED },
      'control-plane': UNLIMITED,
    },
  });
  const link = await startProxy({ host: '127.0.0.1', port: stack.redis.port });
  const linked = { REDIS_URL: `redis://127.0.0.1:${link.port}` };
  const settings = (name: 'gateway' | 'worker') => ({ ...stack.environments[name], ...linked });
  const [gateways, workers] = await Promise.all(
    (['gateway', 'worker'] as const).map((name) =>
      Promise.all([
        startService(name, settings(name)),
        startService(name, { ...settings(name), ...clocks[name].environment }),
      ]),
    ),
  );
  const customers = await Promise.all(
    (gateways ?? []).map(({ url }) => startProxy({ host: '127.0.0.1', port: Number(new URL(url).port) })),
  );
  const metering = openMetering(stack.redis.url, stack.database.url);
  const postgres = {
    name: 'postgres',
    kill: server.kill,
    restart: () => eventually(() => server.restart().then(() => true)),
  };
  const services = [...(gateways ?? []), ...(workers ?? []), ...stack.scorings, stack.controlPlane];
  return {
    sql: stack.sql,
    metering,
    clocks,
    services,
    redis: stack.redis,
    postgres,
    /** Between services and Redis. */
    link,
    /** Between customers and gateways. */
    customers,
    baseUrls: customers.map(({ port }) => `http://127.0.0.1:${port}/api/v1/`),
    now: clocks.everybody.now,
    /** Time passes for everybody. */
    pass(ms: number) {
      for (const clock of Object.values(clocks)) clock.move(ms);
    },
    /** Sets every clock shortly before the end of the month, unless it is over. */
    turn() {
      if (clocks.everybody.now() < TURN_MS - BEFORE_TURN_MS) setAll(TURN_MS - BEFORE_TURN_MS);
    },
    isTurned: () => clocks.everybody.now() >= TURN_MS,
    async stop() {
      await metering.close();
      await Promise.all([...(gateways ?? []), ...(workers ?? [])].map((service) => service.kill()));
      await Promise.all([link, ...customers].map((proxy) => proxy.close()));
      await stack.stop();
      process.removeListener('exit', server.stopNow);
      server.stopNow();
    },
  };
}
