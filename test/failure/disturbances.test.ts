import { setTimeout as delay } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { accountFor } from './support/account-for.js';
import { assertAccount } from './support/assert-account.js';
import { buildPreload } from './support/build-preload.js';
import { disturbances } from './support/disturbances.js';
import { type Attempt, startLoad } from './support/load.js';
import { openMetering } from './support/open-metering.js';
import { PLANS_FILE } from './support/plans-file.js';
import { printFigures } from './support/print-figures.js';
import { readUsed } from './support/read-used.js';
import { seedSmallAccount } from './support/seed-small-account.js';
import { pick, seededRandom } from './support/seeded-random.js';
import { createClock } from './support/settable-clock.js';

if (CHAOS.isLong) t.setTimeout(1_200_000 + CHAOS.seeds * CHAOS.disturbances * 15_000);
const library = buildPreload('set-clock');
const clocks = library
  ? { Redis: createClock(library), 'a gateway': createClock(library), 'a worker': createClock(library) }
  : {};
const environmentOf = (whose: string) =>
  (clocks as Record<string, ReturnType<typeof createClock>>)[whose]?.environment;

const stack = await startStack({
  gateways: 0,
  workers: 0,
  env: { all: { PLANS_FILE } },
  redis: { environment: environmentOf('Redis') ?? {} },
});
t.teardown(() => stack.stop());
const link = await startProxy({ host: '127.0.0.1', port: stack.redis.port });
t.teardown(() => link.close());
const linked = { REDIS_URL: `redis://127.0.0.1:${link.port}` };
const services = await Promise.all(
  (['gateway', 'worker'] as const).flatMap((name) => [
    startService(name, { ...stack.environments[name], ...linked, ...environmentOf(`a ${name}`) }),
    startService(name, { ...stack.environments[name], ...linked }),
  ]),
);
t.teardown(() => Promise.all(services.map((service) => service.kill())));
const gateways = services.filter(({ name }) => name === 'gateway');
const baseUrls = gateways.map(({ url }) => `${url}/api/v1/`);
const metering = openMetering(stack.redis.url, stack.database.url);
t.teardown(() => metering.close());

const DAY_MS = 86_400_000;
/** A clock that is a day ahead may be in the next month. */
const months = [...new Set([Date.now(), Date.now() + 2 * DAY_MS].map((ms) => monthOf(new Date(ms))))];
const all = disturbances({ redis: stack.redis, link, metering, clocks });
const everything: Attempt[] = [];

for (let seed = CHAOS.seed; seed < CHAOS.seed + CHAOS.seeds; seed++) {
  t.test(
    `whatever two things disturb Redis or a clock together, every answer is one row and one count; seed ${seed}`,
    async (t) => {
      const random = seededRandom(seed);
      const load = startLoad({
        baseUrls,
        accounts: [stack],
        clients: CHAOS.clients,
        tag: `disturbed-${seed}`,
      });
      const answered = () => load.attempts.filter(({ status }) => status === 200).length;
      const progress = (more: number) => {
        const target = answered() + more;
        return eventually(() => answered() >= target, { withinMs: 240_000 });
      };
      const order = [...all].sort(() => random() - 0.5).slice(0, CHAOS.disturbances);
      while (order.length < CHAOS.disturbances) order.push(pick(random, all));
      for (let i = 0; i < order.length; i += 2) {
        await progress(20);
        // Where in a step the first strikes, and where in the first the second, is part of it.
        await Promise.all(
          order.slice(i, i + 2).map(async (disturbance) => {
            await delay(Math.floor(random() * 500));
            await disturbance.run();
          }),
        );
      }
      await progress(20);
      await load.stop();
      for (const attempt of load.attempts) everything.push(attempt);
      const names = order.map(({ name }) => name);
      t.comment(names.join(', '));
      printFigures(`seed ${seed}, disturbed`, names);
      assertAccount(t, await accountFor(metering, [stack.accountId], everything, CHAOS.drainMs, months));
      for (const service of services) {
        t.notMatch(service.output(), /"level":60/, `${service.name} did not give up`);
      }
    },
  );
}

t.test('a month is used up to the last check and no further, whatever disturbs it', async (t) => {
  const random = seededRandom(CHAOS.seed);
  const small = await seedSmallAccount(stack);
  const answered: string[] = [];
  let refused = 0;
  const clients = Array.from({ length: CHAOS.clients }, async (_, client) => {
    for (let turn = 0; refused < 3 * CHAOS.clients; turn++) {
      const email = `quota-${client}-${turn}@load.example`;
      const answer = await http<{ id?: string; checks_used?: number }>(
        `${baseUrls[turn % baseUrls.length]}check/`,
        {
          headers: { 'x-api-key': small.apiKey },
          json: { email },
        },
      ).catch(() => null);
      if (answer?.status === 200) answered.push(answer.body.id ?? '');
      if (answer?.status === 429 && answer.body.checks_used === small.limit) refused += 1;
      await delay(50);
    }
  });
  // None that moves a clock: a month must stay the same one to be used up.
  const still = all.filter(({ name }) => !name.startsWith('clock'));
  for (let i = 0; i < CHAOS.disturbances && refused === 0; i++) {
    await pick(random, still).run();
    await delay(1_000);
  }
  await Promise.all(clients);
  const rows = await eventually(
    async () => {
      const found = await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE account_id = $1', [
        small.accountId,
      ]);
      return found.length >= small.limit && found;
    },
    { withinMs: CHAOS.drainMs },
  );
  const stored = new Set(rows.map(({ id }) => id));
  t.equal(rows.length, small.limit);
  t.strictSame(
    answered.filter((id) => !stored.has(id)),
    [],
  );
  t.equal(await readUsed(metering.redis, small.accountId, monthOf(new Date())), small.limit);
});
