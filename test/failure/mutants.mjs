// `npm run mutants [-- NAME...]`: applies each patch of mutants/ to the checkout, runs the tests that it says must see it,
// and takes it away again. Every line must say "red". Needs a clean checkout, because it is changed in place.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/lib/build.mjs';
import { endStrays, RUN_MARK } from '../../scripts/lib/end-strays.mjs';
import { install } from '../../scripts/lib/install.mjs';
import { dataDir, inRoot, makeDataDirectory, makeDirectory } from '../../scripts/lib/paths.mjs';
import { createProgress } from '../../scripts/lib/progress.mjs';
import { findRedisBinary } from '../../scripts/lib/redis-binary.mjs';
import { createRunFile } from '../../scripts/lib/run-file.mjs';
import { runTap } from '../../scripts/lib/run-tap.mjs';
import { findTestFiles } from '../../scripts/lib/test-files.mjs';
import { startTestPostgres } from '../../scripts/lib/test-servers.mjs';

const folder = new URL('./mutants/', import.meta.url);
const run = (command, args) => spawnSync(command, args, { cwd: inRoot(), encoding: 'utf8' });
const git = (...args) => run('git', args);

const all = readdirSync(folder).map((file) => file.replace(/\.patch$/, ''));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) give(`There is no mutant ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
if (git('status', '--porcelain').stdout.trim() !== '') {
  give('The checkout has changes of its own: commit or stash them first.');
}

let applied = null;
process.on('exit', () => {
  if (applied) git('apply', '-R', applied);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const progress = createProgress();
await progress.step('dependencies', install);
await progress.step('build', build);
makeDataDirectory();
const directory = path.join(dataDir, 'mutants');
makeDirectory(directory);
const redis = await progress.step('redis', findRedisBinary);
const postgres = await progress.step('postgres', (note) =>
  startTestPostgres({ directory, runFile: createRunFile(path.join(directory, 'run.json')), note }),
);

const names = wanted.length > 0 ? wanted : all;
let missed = 0;
try {
  for (const name of names) {
    const startedAt = Date.now();
    const outcome = await judge(name);
    if (!outcome.startsWith('red')) missed += 1;
    progress.say(`${name.padEnd(28)} ${outcome}, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }
} finally {
  await postgres.stop();
  await build();
}
progress.say(`${names.length - missed} of ${names.length} red`);
process.exitCode = missed === 0 ? 0 : 1;

async function judge(name) {
  const file = fileURLToPath(new URL(`${name}.patch`, folder));
  // Above the patch itself, where git does not look.
  const tests = /^Seen by: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.split(' ');
  if (!tests) return 'NOT RUN: its patch does not say which test sees it';
  if (git('apply', file).status !== 0) return 'NOT RUN: it no longer fits the code';
  applied = file;
  const mark = randomBytes(12).toString('hex');
  try {
    // A mutant that does not compile is a mistake in the mutant: no test has seen it.
    const built = run('npx', ['tsc', '-b']);
    if (built.status !== 0) return `NOT RUN: it does not compile\n${built.stdout}`;
    const env = { ...process.env, ...postgres.environment, TEST_REDIS_BIN: redis.file, [RUN_MARK]: mark };
    const { passed, failed } = await runTap(findTestFiles(tests), env, () => {});
    if (passed + failed === 0) return 'NOT RUN: no test was found';
    return failed > 0 ? `red (${failed} of ${passed + failed})` : 'NOT RED';
  } finally {
    endStrays(mark);
    git('apply', '-R', file);
    applied = null;
  }
}

function give(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
