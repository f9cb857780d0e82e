import { performance } from 'node:perf_hooks';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { createAttacker } from './attacker.js';
import { ATTACKS } from './attacks.js';
import { createNeighbour } from './neighbour.js';
import { residentBytes } from './resident-bytes.js';

/** Gateway and control plane with the heap that a container of 512 MB leaves them. */
const CONTAINER_BYTES = 512 * 1024 * 1024;
const NODE_OPTIONS = '--max-old-space-size=256';
const QUIET_ROUNDS = 3;

const stack = await startStack({ env: { gateway: { NODE_OPTIONS }, 'control-plane': { NODE_OPTIONS } } });
t.teardown(() => stack.stop());
const neighbour = await createNeighbour(stack);
t.teardown(() => neighbour.stop());
const contained = [...stack.gateways, stack.controlPlane];

/** How long each act of the neighbour took, in milliseconds. */
async function actAll(): Promise<Record<string, number>> {
  const took: Record<string, number> = {};
  for (const [name, act] of Object.entries(neighbour.acts)) {
    const begun = performance.now();
    await act();
    took[name] = performance.now() - begun;
  }
  return took;
}

await actAll();
const rounds: Record<string, number>[] = [];
for (let i = 0; i < QUIET_ROUNDS; i++) rounds.push(await actAll());
const quiet = (name: string) =>
  rounds.map((round) => round[name] ?? 0).sort((a, b) => a - b)[Math.floor(QUIET_ROUNDS / 2)] ?? 0;

for (const [i, [name, begin]] of Object.entries(ATTACKS).entries()) {
  t.test(`beside ${name} another customer is served`, async (t) => {
    const attacker = createAttacker(stack, i + 1);
    try {
      await begin(attacker);
      const took = await actAll();
      const ratios = Object.entries(took).map(
        ([act, ms]) => `${act} ${Math.round(ms)} ms (${(ms / quiet(act)).toFixed(1)}x)`,
      );
      t.comment(ratios.join(', '));
      t.pass('every act went through');
    } finally {
      await attacker.end();
    }
    for (const service of contained) {
      const bytes = residentBytes(service.pid);
      t.ok(bytes > 0 && bytes < CONTAINER_BYTES, `${service.name} fits into its container`);
    }
  });
}
