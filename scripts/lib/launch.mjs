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
  try {
    const options = parseStartOptions(argv);
    if (options.help) return progress.say(USAGE);
    if (!process.env.REDIS_URL) requireRedis();
    greet(progress);
    const redis = process.env.REDIS_URL ? null : settled(progress.step('redis server', findRedis));
    await progress.step('dependencies', (note) => install('start', note));
    const dashboard = settled(progress.step('dashboard', (note) => build(note, buildDashboard)));
    const services = settled(progress.step('build', (note) => build(note, buildServices)));
    await buildStart();
    const { startCommand } = await import(inRoot('dist/start/start.js'));
    await startCommand(options, progress, { redis, services, dashboard });
  } catch (error) {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
  process.exit(); // a build may still be running, and ends with us
}

/**
 * A benchmark, the tests or another tool of the checkout, with everything that it needs.
 * @param {string} file @param {string[]} argv @param {string} [last] the last line of a failure before the tool runs
 */
export async function launchTool(file, argv, last = '') {
  try {
    await prepareTools(graphOf(file));
    await runTool(file, argv);
  } catch (error) {
    console.error(`\n${error.message}\n${last}`);
    process.exitCode = 1;
  }
}

/** The folder of `dist` that a tool is bundled into. @param {string} file */
const graphOf = (file) => (file.startsWith('evaluation/') ? 'evaluation' : 'tools');

/** The evaluation starts nothing but scoring, so it needs neither Redis nor the dashboard. */
async function prepareTools(graph) {
  const progress = createProgress();
  const isWhole = graph === 'tools';
  if (isWhole) requireRedis();
  greet(progress);
  const redis = isWhole && settled(progress.step('redis server', findRedis));
  await progress.step('dependencies', (note) => install(isWhole ? 'all' : graph, note));
  const builds = {
    build: buildServices,
    [graph]: () => buildTools(graph),
    ...(isWhole && { dashboard: buildDashboard }),
  };
  await Promise.all(
    Object.entries(builds).map(([name, work]) => progress.step(name, (note) => build(note, work))),
  );
  await redis;
}

/** In this process, as if it had been started by its own name. */
async function runTool(file, argv) {
  const program = inRoot('dist', graphOf(file), `${programName(file)}.js`);
  process.argv = [process.execPath, program, ...argv];
  await import(program);
}

/** A failure is reported later, by the code that awaits it. */
function settled(promise) {
  promise.catch(() => undefined);
  return promise;
}

async function build(note, work) {
  note((await work()) ? 'made' : 'up to date');
}

function greet(progress) {
  makeDataDirectory();
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  progress.say(
    `\n  Verdict  ${version}   node ${process.versions.node} · ${process.platform} ${process.arch}\n`,
  );
}
