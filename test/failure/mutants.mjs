// `npm run mutants [-- NAME...]`: applies each patch of mutants/ to the checkout, runs the tests that it says must see it,
// and takes it away again. Every line must say "red". Needs a clean checkout, because it is changed in place.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = new URL('./mutants/', import.meta.url);
/** A mutant that makes its test wait for ever is red after seven minutes: a wait ends after three, and a slow machine adds to it. */
const env = { TEST_TIMEOUT_SECONDS: '420', ...process.env };
const run = (command, ...args) => spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
const say = (text) => process.stdout.write(`${text}\n`);
const seconds = (since) => `${Math.round((Date.now() - since) / 1000)} s`;

const all = readdirSync(folder).map((file) => file.replace(/\.patch$/, ''));
const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : all;
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) give(`There is no mutant ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
if (run('git', 'status', '--porcelain').stdout.trim() !== '') {
  give('The checkout has changes of its own: commit or stash them first.');
}

let applied = null;
process.on('exit', () => {
  if (applied) run('git', 'apply', '-R', applied);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

// A mutant that does not compile, or a test that is red without one, would look like a success.
const sound = outcomeOf(names.flatMap(testsOf));
if (!sound || sound.failed > 0) give(`Without a mutant the tests are not green.\n${sound?.output ?? ''}`);
say(`green without a mutant: ${sound.passed} passed`);

let missed = 0;
for (const name of names) {
  const startedAt = Date.now();
  const outcome = judge(name);
  if (!outcome.startsWith('red')) missed += 1;
  say(`${name.padEnd(28)} ${outcome}, ${seconds(startedAt)}`);
}
say(`${names.length - missed} of ${names.length} red`);
process.exitCode = missed === 0 ? 0 : 1;

function judge(name) {
  const file = fileURLToPath(new URL(`${name}.patch`, folder));
  if (run('git', 'apply', file).status !== 0) return 'NOT RUN: it no longer fits the code';
  applied = file;
  try {
    const types = run('scripts/node_modules/.bin/tsc', '-p', 'tsconfig.json');
    if (types.status !== 0) return `NOT RUN: it does not compile\n${types.stdout}`;
    const outcome = outcomeOf(testsOf(name));
    // A test that did not start, or fell over before its first assertion, failed for another reason than the mutant; one that
    // waited until its time was over did begin.
    if (!outcome?.cameToAnEnd) return 'NOT RUN: no test came to its end';
    const { passed, failed } = outcome;
    return failed > 0 ? `red (${failed} of ${passed + failed})` : 'NOT RED';
  } finally {
    run('git', 'apply', '-R', file);
    applied = null;
  }
}

/** Named above the patch itself, where git does not look. */
function testsOf(name) {
  const text = readFileSync(new URL(`${name}.patch`, folder), 'utf8');
  return /^Seen by: (.+)$/m.exec(text)?.[1]?.split(' ') ?? [];
}

function outcomeOf(tests) {
  const { stdout } = run(process.execPath, 'scripts/test.mjs', ...new Set(tests));
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(stdout) ?? [];
  if (passed === undefined) return null;
  const ended = Number(passed) > 0 || /^ {4}✖ (?!.* did not run to its end$)/m.test(stdout);
  const cameToAnEnd = ended || /\btest timed out after \d+ms$/m.test(stdout);
  return { passed: Number(passed), failed: Number(failed), cameToAnEnd, output: stdout };
}

function give(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
