import { readFileSync } from 'node:fs';
import { buildDashboard, buildServices, buildStart, buildTools } from './build.mjs';
import { install } from './install.mjs';
import { inRoot, makeDataDirectory } from './paths.mjs';
import { programName } from './program-name.mjs';
import { createProgress } from './progress.mjs';
import { parseStartOptions, USAGE } from './start-options.mjs';
import { findRedis, requireRedis } from './system-programs.mjs';

/** Everything that does not wait for something else runs beside it: apt beside the install, builds beside the servers. @param {string[]} argv */
export async function launchStart(argv) {
  const progress = createProgress();
  await orSay(async () => {
    const options = parseStartOptions(argv);
    if (options.help) return progress.say(USAGE);
    const redis = begin(progress, !process.env.REDIS_URL);
    await progress.step('dependencies', (note) => install('start', note));
    const dashboard = build(progress, 'dashboard', buildDashboard);
    const services = build(progress, 'build', buildServices);
    await buildStart();
    const { startCommand } = await import(inRoot('dist/start/start.js'));
    await startCommand(options, progress, { redis, services, dashboard });
  });
  process.exit(); // a build may still be running, and ends with us
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
    const progress = createProgress();
    const redis = begin(progress, isWhole);
    await progress.step('dependencies', (note) => install(isWhole ? 'all' : graph, note));
    await Promise.all([
      build(progress, 'build', buildServices),
      build(progress, graph, () => buildTools(graph)),
      isWhole && build(progress, 'dashboard', buildDashboard),
      redis,
    ]);
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

/** Greets, and looks for a Redis where one is needed. */
function begin(progress, isRedisNeeded) {
  if (isRedisNeeded) requireRedis();
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  progress.say(
    `\n  Verdict  ${version}   node ${process.versions.node} · ${process.platform} ${process.arch}\n`,
  );
  return isRedisNeeded ? settled(progress.step('redis server', findRedis)) : null;
}

const build = (progress, label, work) =>
  settled(progress.step(label, async (note) => note((await work()) ? 'made' : 'up to date')));

/** A failure is reported later, by the code that awaits it. */
function settled(promise) {
  promise.catch(() => undefined);
  return promise;
}
