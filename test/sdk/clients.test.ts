import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { inRoot } from '@verdict/local-stack/paths.js';
import { skipFile } from '@verdict/local-stack/skip-file.js';
import { Verdict, VerdictError } from '@verdict/sdk';
import t from 'tap';
import { CONFORMANCE_PAGE, conformancePage } from './conformance-page.js';
import { findPhp, hasPython, PHP_CLIENT, PYTHON_CLIENT, runClients } from './run-clients.js';

if (!hasPython()) skipFile('python3 (3.9 or later) is not on this machine');

const run = promisify(execFile);
const found = await runClients();

for (const [client, findings] of found) {
  t.test(`${client} passes every case`, async (t) => {
    for (const [name, wrong] of findings) t.strictSame(wrong, [], name);
  });
}

t.test('what no server can show: the tests of the Python client itself', async (t) => {
  const flags = ['-B', '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'];
  const { stderr } = await run('python3', flags, { cwd: PYTHON_CLIENT });
  t.match(stderr, /Ran [1-9]\d* tests?[\s\S]*\nOK/);
});

t.test('its types hold in strict mode, for mypy where it is installed and for pyright', async (t) => {
  const pyright = inRoot('test/node_modules/.bin', 'pyright');
  const { stdout } = await run(pyright, ['-p', '.'], { cwd: PYTHON_CLIENT });
  t.match(stdout, '0 errors');
  const hasMypy = await run('mypy', ['--version']).then(
    () => true,
    () => false,
  );
  if (hasMypy) await run('mypy', ['--strict', '--cache-dir', t.testdir(), 'verdict'], { cwd: PYTHON_CLIENT });
  else t.comment('SKIPPED: mypy is not on this machine');
});

/** The names of lines 3 to 6 are misspelt; those of the last two are right. */
const MISSPELT = `from verdict import AsyncVerdict, Verdict

verdict = Verdict(falback="allow")
others = AsyncVerdict(falback="allow")
check = verdict.check("a@b.example", timout=3)
is_known = verdict.check("a@b.example").signals["disposable_mail"]
again = verdict.check("a@b.example", timeout=3)
is_relay = again.signals.get("relay") is True
`;

t.test('pyright finds misspelt options and signals', async (t) => {
  const folder = t.testdir({
    'sign_up.py': MISSPELT,
    'pyrightconfig.json': JSON.stringify({ extraPaths: [PYTHON_CLIENT], pythonVersion: '3.9' }),
  });
  const pyright = inRoot('test/node_modules/.bin', 'pyright');
  const { stdout } = await run(pyright, ['-p', folder, '--outputjson']).catch(
    (found: { stdout: string }) => found,
  );
  const { generalDiagnostics: found } = JSON.parse(stdout) as {
    generalDiagnostics: { severity: string; range: { start: { line: number } } }[];
  };
  const lines = found.filter(({ severity }) => severity === 'error').map(({ range }) => range.start.line + 1);
  t.strictSame([...new Set(lines)], [3, 4, 5, 6]);
});

t.test('docs/conformance.md is what this run found', async (t) => {
  if (found.size < 4) return t.comment('SKIPPED: a client cannot run on this machine');
  t.equal(await readFile(inRoot(CONFORMANCE_PAGE), 'utf8'), conformancePage(found), 'npm run docs:clients');
});

if (!found.has('PHP')) t.comment('SKIPPED: php-cli (8.1 or later) with php-curl is not on this machine');

t.test('the Laravel rule refuses what Verdict blocks, with one neutral message', async (t) => {
  const php = await findPhp();
  if (!php) return;
  const { stdout } = await run(php, ['tests/laravel-rule.php'], { cwd: PHP_CLIENT });
  t.equal(
    stdout,
    'allow: passes\nblock: Please use another address.\nmalformed: Please use another address.\nnobody answers: passes\n',
  );
});

t.test('the key shows in no dump, error or trace of the Node and the PHP client', async (t) => {
  const key = 'vrd_live_never_shown';
  const verdict = new Verdict({ apiKey: key, baseUrl: 'http://127.0.0.1:1/', retries: 0, deadlineMs: 300 });
  const error = await verdict.check('a@b.example').catch((caught: unknown) => caught);
  t.type(error, VerdictError);
  const deep = { depth: null, showHidden: true };
  t.notMatch(inspect([verdict, error], deep), key);
  const php = await findPhp();
  if (!php) return;
  const args = ['-d', 'zend.exception_ignore_args=0', 'tests/secrets.php'];
  const { stdout } = await run(php, args, { cwd: PHP_CLIENT });
  t.equal(stdout, 'dump: hidden\nerror: hidden\ntrace: hidden\n');
});

t.test('all clients say the version of the release', async (t) => {
  const { version } = JSON.parse(await readFile(inRoot('package.json'), 'utf8')) as { version: string };
  t.match(await readFile(inRoot('packages/sdk/src/version.ts'), 'utf8'), `'${version}'`);
  t.match(await readFile(join(PYTHON_CLIENT, 'verdict/version.py'), 'utf8'), `"${version}"`);
  t.match(await readFile(join(PHP_CLIENT, 'src/Version.php'), 'utf8'), `'${version}'`);
  for (const manifest of [join(PHP_CLIENT, 'composer.json'), inRoot('clients/better-auth/package.json')])
    t.match(await readFile(manifest, 'utf8'), `"version": "${version}"`);
});

t.test('its sources compile for Python 3.9', async (t) => {
  const check =
    'import ast, pathlib; [ast.parse(p.read_text(), feature_version=(3, 9)) for p in pathlib.Path(".").rglob("*.py")]';
  await run('python3', ['-c', check], { cwd: PYTHON_CLIENT });
  t.pass('every file parses as 3.9');
  const licence = await readFile(join(PYTHON_CLIENT, 'LICENSE'), 'utf8');
  t.equal(licence, await readFile(inRoot('LICENSE'), 'utf8'));
});
