// `npm run mutants [-- NAME...]`: applies each patch of mutants/ to the checkout, runs the tests that it says must see it,
// and takes it away again. Every line must end with "red". Needs a clean checkout, because it is changed in place.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = new URL('./mutants/', import.meta.url);
const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options });
const git = (...args) => run('git', args);

if (git('status', '--porcelain').stdout.trim() !== '') {
  process.stderr.write('The checkout has changes of its own: commit or stash them first.\n');
  process.exit(1);
}
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .map((file) => file.replace(/\.patch$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no mutant ${unknown.join(', ')}.\n`);
  process.exit(1);
}

let applied = null;
process.on('exit', () => {
  if (applied) git('apply', '-R', applied);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

let green = 0;
for (const name of names) {
  const startedAt = Date.now();
  const outcome = judge(name);
  if (outcome !== 'red') green += 1;
  process.stdout.write(`${name.padEnd(32)} ${outcome} (${Math.round((Date.now() - startedAt) / 1000)} s)\n`);
}
process.stdout.write(`${names.length - green} of ${names.length} red\n`);
process.exitCode = green === 0 ? 0 : 1;

function judge(name) {
  const file = fileURLToPath(new URL(`${name}.patch`, folder));
  // Above the patch itself, where git does not look.
  const tests = /^Seen by: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.split(' ');
  if (!tests) return 'NOT RUN: its patch does not say which test sees it';
  if (git('apply', file).status !== 0) return 'NOT RUN: it no longer fits the code';
  applied = file;
  try {
    // A mutant that does not compile is a mistake in the mutant: no test has seen it.
    const built = run('npx', ['tsc', '-b']);
    if (built.status !== 0) return `NOT RUN: it does not compile\n${built.stdout}`;
    const tested = run(process.execPath, ['scripts/test.mjs', ...tests], { timeout: 900_000 });
    return /, 0 failed\s*$/.test(tested.stdout.trim()) ? 'NOT RED' : 'red';
  } finally {
    git('apply', '-R', file);
    applied = null;
  }
}
