import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { once } from './once.mjs';
import { inRoot, logOf, root } from './paths.mjs';
import { run } from './run.mjs';

/** The pinned package manager, such as `pnpm@10.34.8`. */
const pinned = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).packageManager;
/** pnpm must never stop to ask. */
const env = { ...process.env, CI: 'true' };

/** The output of a package manager command. @param {string[]} args */
export async function pnpmOutput(args) {
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)('npx', ['--yes', pinned(), ...args], options)).stdout;
}

/** The packages for running and building: no tests, no types, no linter. */
const START = [
  '--prod',
  ...['.', '@verdict/scripts', '@verdict/local-stack...', '@verdict/dashboard...']
    .concat(
      ['gateway', 'scoring', 'worker', 'control-plane', 'operator-cli'].map((name) => `@verdict/${name}...`),
    )
    .flatMap((name) => ['--filter', name]),
];
/** Each scope includes the ones before it. `all` lacks the packages that only the evaluation compares with. */
const SCOPES = { start: START, all: ['--filter', '!@verdict/evaluation'], evaluation: [] };

/**
 * Installs exactly what the lockfile names; nothing when that was done before. A start is content with what the tests
 * installed, so that neither command undoes the other's install.
 * @param {keyof typeof SCOPES} scope
 * @param {(detail: string) => void} note
 */
export async function install(scope, note) {
  const label = pinned().replace('@', ' ');
  note(`${label}, frozen lockfile`);
  const decidedBy = {
    // The lockfile has the dependencies of every manifest.
    files: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    facts: [process.version, process.platform, process.arch],
    result: 'node_modules/.modules.yaml',
  };
  const names = Object.keys(SCOPES)
    .slice(Object.keys(SCOPES).indexOf(scope))
    .map((name) => `install:${name}`);
  const installed = await once(names, decidedBy, () =>
    run('npx', ['--yes', pinned(), 'install', '--frozen-lockfile', ...SCOPES[scope]], {
      log: logOf('install'),
      sentence: 'The dependencies could not be installed. The first time needs the npm registry.',
      env,
    }),
  );
  // The compiler does not look into node_modules again, and would report packages that are there by now as missing.
  if (installed) rmSync(inRoot('node_modules/.cache'), { recursive: true, force: true });
  else note(`${label}, up to date`);
}
