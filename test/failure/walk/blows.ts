import { setTimeout as delay } from 'node:timers/promises';
import type { World } from './world.js';

export interface Blow {
  readonly name: string;
  strike(random: () => number): Promise<void>;
}

const HOUR_MS = 3_600_000;
const PASSING_MS = 20 * 60_000;
const JUMP_MS = 1_500;
const CUTS = 8;

/** Everything that may happen to the services of a walk, and passes. The lot says where in a request it strikes. */
export function blowsOf(world: World): readonly Blow[] {
  const { services, redis, postgres, clocks, link, customers } = world;
  const kills = [...services, redis, postgres].map((target, i) => ({
    name: `kill ${target.name} ${i}`,
    async strike(random: () => number) {
      await delay(Math.floor(random() * 200));
      await target.kill();
      await target.restart();
    },
  }));
  const freezes = [...services, redis].map((target, i) => ({
    name: `freeze ${target.name} ${i}`,
    async strike(random: () => number) {
      await delay(Math.floor(random() * 200));
      target.signal('SIGSTOP');
      await delay(500 + Math.floor(random() * 2_500));
      target.signal('SIGCONT');
    },
  }));
  const jumps = ([clocks.gateway, clocks.worker] as const).flatMap((clock, i) =>
    [25 * HOUR_MS, -HOUR_MS].map((byMs) => ({
      name: `clock of ${i === 0 ? 'a gateway' : 'a worker'} ${byMs > 0 ? 'a day ahead' : 'an hour back'}`,
      async strike() {
        clock.move(byMs);
        await delay(JUMP_MS);
        clock.move(-byMs);
      },
    })),
  );
  const cuts = [
    {
      name: 'cut the replies of gateways',
      async strike(random: () => number) {
        for (let i = 0; i < CUTS; i++) {
          for (const proxy of customers) proxy.cutAnswers();
          await delay(Math.floor(random() * 100));
        }
      },
    },
    {
      name: 'lose the replies of Redis',
      async strike(random: () => number) {
        link.loseAnswers();
        await delay(Math.floor(random() * 500));
        link.cut();
        link.restore();
      },
    },
  ];
  const passing = { name: 'twenty minutes pass', strike: async () => world.pass(PASSING_MS) };
  // As often as kills, although there are fewer of them.
  return [...kills, ...freezes, ...jumps, ...cuts, ...cuts, ...cuts, passing];
}

export const TURN = 'the month turns';

/** By its name, to repeat it. */
export function blowNamed(world: World, name: string): Blow {
  if (name === TURN) return { name, strike: async () => world.turn() };
  const found = blowsOf(world).find((blow) => blow.name === name);
  if (!found) throw new Error(`there is no blow "${name}"`);
  return found;
}
