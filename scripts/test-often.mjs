// `npm run test:often -- N [--load] [arguments of npm test]`: runs the tests N times in shuffled order and names every test
// that was ever red. With --load, twice as many busy threads as cores run beside them.
import './lib/node-version.mjs';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { inRoot, logOf, makeDataDirectory } from './lib/paths.mjs';
import { startProcess } from './lib/start-process.mjs';

const [times = '', ...rest] = process.argv.slice(2);
const isLoaded = rest.includes('--load');
const options = rest.filter((one) => one !== '--load');
if (!(Number(times) >= 1)) {
  process.stderr.write(
    'Say how often: npm run test:often -- 20 [--load] [--all | --fast] [part of a path ...]\n',
  );
  process.exit(2);
}
makeDataDirectory();
const busy = Array.from({ length: isLoaded ? 2 * availableParallelism() : 0 }, () => {
  const thread = new Worker('for (;;);', { eval: true });
  thread.unref();
  return thread;
});

/** How often each test was red, by its name and place. @type {Map<string, number>} */
const reds = new Map();
/** Last lines of the runs: the same each time, or a test depends on something it does not control. @type {Set<string>} */
const ends = new Set();
for (let run = 1; run <= Number(times); run++) {
  const seed = `${Date.now()}`;
  const started = Date.now();
  const args = [inRoot('scripts/test.mjs'), '--no-checks', '--seed', seed, ...options];
  const test = startProcess(process.execPath, args, process.env);
  await test.exited;
  const output = test.output();
  writeFileSync(logOf(`often-${run}`), output);
  const end = output.trimEnd().split('\n').at(-1) ?? '';
  ends.add(end);
  for (const [, name] of output.matchAll(/^ {4}✖ (.+)$/gm)) reds.set(name, (reds.get(name) ?? 0) + 1);
  process.stdout.write(
    `${run} of ${times}  seed ${seed}  ${Math.round((Date.now() - started) / 1000)} s  ${end}\n`,
  );
}
await Promise.all(busy.map((thread) => thread.terminate()));
for (const [name, count] of reds) process.stdout.write(`red ${count} of ${times}: ${name}\n`);
if (ends.size > 1) process.stdout.write(`The count differs from run to run: ${[...ends].join(' · ')}\n`);
process.exit(reds.size === 0 && ends.size === 1 && / 0 failed$/.test([...ends][0] ?? '') ? 0 : 1);
