import { readFileSync } from 'node:fs';
import { Failure } from './failure.mjs';
import { holdCheckout } from './hold-checkout.mjs';
import { install } from './install.mjs';
import { isPortFree } from './is-port-free.mjs';
import { inRoot, makeDataDirectory } from './paths.mjs';
import { programName } from './program-name.mjs';
import { createProgress } from './progress.mjs';
import { run } from './run.mjs';
import { parseStartOptions, USAGE } from './start-options.mjs';
import { findRedis, requireRedis } from './system-programs.mjs';

/** @param {string[]} argv */
export async function launchStart(argv) {
  const progress = createProgress();
  await orSay(async () => {
    const options = parseStartOptions(argv);
    if (options.help) return progress.say(USAGE);
    // Before anything is installed: a person who has to choose another port learns it in the first second.
    await holdCheckout();
    await refuseTakenPort(options);
    await prepare(progress, 'start', ['start', 'services', 'dashboard'], !process.env.REDIS_URL);
    const { startCommand } = await import(inRoot('dist/start/start.js'));
    await startCommand(options, progress);
  });
  process.exit();
}

/** @param {{ port: number, host: string }} options */
async function refuseTakenPort({ port, host }) {
  for (const address of new Set(['127.0.0.1', '::1', host])) {
    if (!(await isPortFree(port, address)))
      throw new Failure(`Port ${port} is taken by another program: choose one with npm start -- --port N.`);
  }
}

/**
 * A benchmark, the tests or another tool of the checkout, with everything that it needs. It runs in this process, as if
 * it had been started by its own name.
 * @param {string} file @param {string[]} argv @param {string} [last] the last line of a failure before the tool runs
 */
export const launchTool = (file, argv, last) =>
  orSay(async () => {
    // The evaluation starts nothing but scoring, so it needs neither Redis nor the dashboard.
    const isWhole = !file.startsWith('evaluation/');
    const graph = isWhole ? 'tools' : 'evaluation';
    const builds = ['services', graph, ...(isWhole ? ['dashboard'] : [])];
    await prepare(createProgress(), isWhole ? 'all' : graph, builds, isWhole);
    const program = inRoot('dist', graph, `${programName(file)}.js`);
    process.argv = [process.execPath, program, ...argv];
    await import(program);
  }, last);

/** A failure is a sentence for the person at the console. @param {() => Promise<void>} work @param {string} [last] */
export async function orSay(work, last = '') {
  try {
    makeDataDirectory();
    await work();
  } catch (error) {
    process.stderr.write(`\n${error.message}\n${last && `${last}\n`}`);
    process.exitCode = 1;
  }
}

/** Greets, then installs and builds what is missing: apt beside the install, the builds beside each other. */
async function prepare(progress, scope, builds, isRedisNeeded) {
  if (isRedisNeeded) requireRedis();
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  progress.say(
    `\n  Verdict  ${version}   node ${process.versions.node} · ${process.platform} ${process.arch}\n`,
  );
  await Promise.all([
    isRedisNeeded && progress.step('redis server', findRedis),
    progress.step('dependencies', (note) => install(scope, note)),
  ]);
  await Promise.all(
    builds.map((name) => progress.step(`build ${name}`, async (note) => note(await build(name)))),
  );
}

/** In a separate process, which gives back the 700 MB that a bundler takes: `npm start` runs for days. @param {string} name */
const build = (name) =>
  run(process.execPath, [inRoot('scripts/lib/build-main.mjs'), name], {
    sentence: `Verdict could not be built (${name}).`,
    lines: 40,
  });
