import { readFileSync } from 'node:fs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { inRoot, makeDataDirectory } from './paths.mjs';
import { createProgress } from './progress.mjs';
import { requireRedis } from './require-redis.mjs';
import { parseStartOptions, USAGE } from './start-options.mjs';

// What needs no dependencies: everything else is TypeScript, in packages/local-stack, and has to be built first.
const commands = (name) => import(inRoot('packages/local-stack/dist/src', `${name}.js`));

/** @param {string[]} argv */
export async function launchStart(argv) {
  const progress = createProgress();
  try {
    const options = parseStartOptions(argv);
    if (options.help) return progress.say(USAGE);
    if (!process.env.REDIS_URL) requireRedis();
    await prepare(progress);
    const { startCommand } = await commands('start-command');
    await startCommand(options, progress);
  } catch (error) {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

/** A step that fails before the tests is one failure: the last line is always `N passed, N failed`. @param {string[]} argv */
export async function launchTests(argv) {
  const progress = createProgress();
  try {
    requireRedis();
    await prepare(progress);
  } catch (error) {
    console.error(`\n${error.message}\n`);
    progress.say('0 passed, 1 failed');
    process.exitCode = 1;
    return;
  }
  const { testCommand } = await commands('test-command');
  await testCommand(argv, progress);
}

export const launchScreenshots = () => launchCommand('screenshots-command', 'screenshotsCommand');

/** @param {string[]} argv */
export const launchRehearsal = (argv) => launchCommand('rehearsal-command', 'rehearsalCommand', argv);

async function launchCommand(file, name, ...args) {
  const progress = createProgress();
  try {
    requireRedis();
    await prepare(progress);
    const command = await commands(file);
    await command[name](...args, progress);
  } catch (error) {
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

async function prepare(progress) {
  makeDataDirectory();
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const node = `node ${process.versions.node} · ${process.platform} ${process.arch}`;
  progress.say(`\n  Verdict  ${version}   ${node}\n`);
  await progress.step('dependencies', install);
  await progress.step('build', build);
}
