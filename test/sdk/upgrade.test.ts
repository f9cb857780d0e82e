import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { packClients } from '../../scripts/lib/pack-clients.mjs';
import { findPhp, hasPython } from './run-clients.js';

const run = promisify(execFile);
const folder = t.testdir({ nothing: {}, app: { 'package.json': '{ "private": true }' } });
const release = (version: string, released: string): string => {
  const directory = join(folder, `server-${version}-${Math.random()}`);
  packClients({ directory, released, version });
  return directory;
};
const first = release('1.0.0', join(folder, 'nothing'));
const next = release('1.1.0', first);
const digest = (directory: string, name: string) =>
  createHash('sha256')
    .update(readFileSync(join(directory, name)))
    .digest('hex');

let served = first;
/** The server, as far as an installer sees it. */
const server = createServer((request, response) => {
  const path = (request.url ?? '').replace(/^\/sdk\//, '').replace(/\/$/, '/index.html');
  try {
    const type = path.endsWith('.html') ? 'text/html' : 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(join(served, path)));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(() => {
  server.closeAllConnections();
  server.close();
});
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sdk`;

t.test('the same release has the same bytes whenever it is packed', async (t) => {
  const again = release('1.0.0', join(folder, 'nothing'));
  for (const name of [
    'verdict-sdk-1.0.0.tgz',
    'verdict-better-auth-1.0.0.tgz',
    'verdict_client-1.0.0.tar.gz',
    'verdict_client-1.0.0-py3-none-any.whl',
    'verdict-php-1.0.0.zip',
  ]) {
    t.equal(digest(again, name), digest(first, name), name);
    t.equal(digest(next, name), digest(first, name), `${name}, served by the next release`);
  }
});

t.test('npm ci of a locked release works after the server was upgraded', async (t) => {
  const cwd = join(folder, 'app');
  const npm = (...args: string[]) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd });
  served = first;
  await npm('install', `${origin}/verdict-sdk-1.0.0.tgz`);
  t.match(readFileSync(join(cwd, 'package-lock.json'), 'utf8'), /"integrity": "sha512-/);
  served = next;
  await npm('ci', '--prefer-online', '--cache', join(folder, 'empty-cache'));
  const { stdout } = await run(process.execPath, ['-p', "typeof require('@verdict/sdk').Verdict"], { cwd });
  t.equal(stdout.trim(), 'function');
});

t.test('the plugin for better-auth installs beside the client of its release', async (t) => {
  served = next;
  const cwd = t.testdir({ 'package.json': '{ "private": true }' });
  const archives = ['sdk', 'better-auth'].map((name) => `${origin}/verdict-${name}-1.1.0.tgz`);
  // Only better-auth itself would come from the registry, which tests do without.
  await run('npm', ['install', '--legacy-peer-deps', '--no-audit', '--no-fund', ...archives], { cwd });
  const installed = JSON.parse(
    readFileSync(join(cwd, 'node_modules/@verdict/better-auth/package.json'), 'utf8'),
  ) as object;
  t.match(installed, { version: '1.1.0', peerDependencies: { '@verdict/sdk': '^1.1.0' } });
});

t.test('pip install -r with hashes works after the server was upgraded', async (t) => {
  if (!hasPython()) {
    t.comment('SKIPPED: python3 (3.9 or later) is not on this machine');
    return;
  }
  const wheel = 'verdict_client-1.0.0-py3-none-any.whl';
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(requirements, `verdict-client==1.0.0 --hash=sha256:${digest(first, wheel)}\n`);
  const venv = join(folder, 'venv');
  await run('python3', ['-m', 'venv', venv]);
  const install = (...args: string[]) => run(join(venv, 'bin/pip'), ['install', '--quiet', ...args]);
  const version = async () => {
    const print = 'import verdict; print(verdict.__version__)';
    return (await run(join(venv, 'bin/python'), ['-c', print])).stdout.trim();
  };
  const anew = ['--no-cache-dir', '--force-reinstall', '--index-url', `${origin}/simple/`];
  for (const directory of [first, next]) {
    served = directory;
    await install(...anew, '-r', requirements);
    t.equal(await version(), '1.0.0');
  }
  await install('--no-index', join(next, 'verdict_client-1.1.0.tar.gz'));
  t.equal(await version(), '1.1.0', 'the sdist installs, too');
});

t.test('the PHP archive unpacks to a client that says its version', async (t) => {
  const php = await findPhp();
  if (!php || !hasPython()) {
    t.comment('SKIPPED: php and python3 are not both on this machine');
    return;
  }
  const to = join(folder, 'php');
  await run('python3', ['-m', 'zipfile', '-e', join(next, 'verdict-php-1.1.0.zip'), to]);
  const program = `require '${to}/verdict-php-1.1.0/autoload.php'; new Verdict\\Verdict(); echo Verdict\\Version::VERSION;`;
  t.equal((await run(php, ['-r', program])).stdout, '1.1.0');
});
