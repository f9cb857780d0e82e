import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startServer } from '@verdict/local-stack/start-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { startProcess } from '../../scripts/lib/start-process.mjs';
import type { AttackOrder } from './attacker.js';
import { ATTACKS } from './attacks.js';
import { SECURITY } from './config.js';
import { createNeighbour } from './neighbour.js';
import { residentBytes } from './resident-bytes.js';

/** Gateway and control plane with the heap that a container of 512 MB leaves them. */
const CONTAINER_BYTES = 512 * 1024 * 1024;
const NODE_OPTIONS = '--max-old-space-size=256';
const ATTACK_PROGRAM = inRoot('dist/tools/test.security.attack-main.js');
const ACCOUNTS = 4;
/** A machine is not equally busy all the time, so an attack is compared with the quiet rounds nearest to it. */
const QUIET_ROUNDS = 7;
/** Measured three times beside each attack: a single pause of the machine is as long as one of them. */
const SHORT_ACTS = ['checks', 'login', 'revocation', 'page', 'upload', 'download'];
/** A round is nine requests that are not checks, of which an address may send 600 a minute. */
const MS_BETWEEN_ROUNDS = 1_200;
/** Only `npm run attacks` measures; the suite asks whether each act goes through. */
const isMeasured = SECURITY.attackFigures !== undefined;

const stack = await startStack({ env: { gateway: { NODE_OPTIONS }, 'control-plane': { NODE_OPTIONS } } });
t.teardown(() => stack.stop());
const neighbour = await createNeighbour(stack);
t.teardown(() => neighbour.stop());
const contained = [...stack.gateways, stack.controlPlane];

type Took = Readonly<Record<string, number>>;

/** How long acts of the neighbour took, in milliseconds. */
async function actAll(names: readonly string[] = Object.keys(neighbour.acts)): Promise<Took> {
  const took: Record<string, number> = {};
  for (const name of names) {
    const begun = performance.now();
    await neighbour.acts[name]?.();
    took[name] = performance.now() - begun;
  }
  if (isMeasured) await delay(MS_BETWEEN_ROUNDS);
  return took;
}

function median(rounds: readonly Took[], act: string): number {
  const sorted = rounds.flatMap((round) => round[act] ?? []).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Begins an attack in another process, so that its work does not slow the neighbour down. */
async function begin(attack: string, number: number) {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => stack.createAccount('free')));
  const order: AttackOrder = {
    ...{ attack, number, accounts },
    baseUrl: stack.baseUrls[0] ?? '',
    databaseUrl: stack.database.url,
  };
  const attacker = startProcess(process.execPath, [ATTACK_PROGRAM, JSON.stringify(order)], process.env);
  const isReady = async () => attacker.output().startsWith('begun');
  return startServer({ name: attack, launch: () => attacker, isReady });
}

const quiet: Took[] = [];
const ratios: Record<string, Took> = {};

/** Notes how much longer acts took beside the attack, and says it: the reporter shows only names. */
function compare(attack: string, rounds: readonly Took[]): void {
  const nearest = quiet.slice(-QUIET_ROUNDS);
  const took = Object.keys(neighbour.acts).map((act) => {
    const ms = median(rounds, act);
    return { act, ms, ratio: ms / median(nearest, act) };
  });
  ratios[attack] = Object.fromEntries(took.map(({ act, ratio }) => [act, ratio]));
  const said = took.map(({ act, ms, ratio }) => `${act} ${Math.round(ms)} ms (${ratio.toFixed(1)}x)`);
  process.stderr.write(`beside ${attack}: ${said.join(', ')}\n`);
}

let attacks = 0;
for (const name of Object.keys(ATTACKS)) {
  t.test(`beside ${name} another customer is served`, async (t) => {
    const rounds: Took[] = [];
    for (let round = 0; round < SECURITY.attackRounds; round++) {
      await actAll(); // until nothing is left of the attack before
      if (isMeasured) quiet.push(await actAll());
      const attacker = await begin(name, ++attacks);
      try {
        rounds.push(await actAll());
        if (isMeasured) rounds.push(await actAll(SHORT_ACTS), await actAll(SHORT_ACTS));
      } finally {
        await attacker.kill();
      }
    }
    t.pass('every act went through');
    if (isMeasured) compare(name, rounds);
    for (const service of contained) {
      const bytes = residentBytes(service.pid);
      t.ok(bytes > 0 && bytes < CONTAINER_BYTES, `${service.name} fits into its container`);
    }
  });
}

if (SECURITY.attackFigures !== undefined) {
  const file = SECURITY.attackFigures;
  t.test('each attack has its ratios', (t) => {
    const quietMs = Object.fromEntries(Object.keys(neighbour.acts).map((act) => [act, median(quiet, act)]));
    writeFileSync(file, JSON.stringify({ rounds: SECURITY.attackRounds, quietMs, ratios }));
    t.strictSame(Object.keys(ratios), Object.keys(ATTACKS));
    t.end();
  });
}
