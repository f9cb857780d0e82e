import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { once } from './once.mjs';
import { inRoot, logOf } from './paths.mjs';
import { run } from './run.mjs';

/** The pinned package manager, such as `pnpm@10.34.8`. */
const pinned = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).packageManager;
/** pnpm must never stop to ask. */
const env = { ...process.env, CI: 'true' };

/** The output of a package manager command. @param {string[]} args */
export async function pnpmOutput(args) {
  const options = { cwd: inRoot(), env, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)('npx', ['--yes', pinned(), ...args], options)).stdout;
}

/** The packages for running and building: no tests, no types, no linter. */
const START = ['.', '@verdict/scripts', '@verdict/local-stack...', '@verdict/dashboard...'].concat(
  ['gateway', 'scoring', 'worker', 'control-plane', 'operator-cli'].map((name) => `@verdict/${name}...`),
);
/** Each scope includes the ones before it, and installs this. `all` lacks the packages that only the evaluation compares with. */
const SCOPES = {
  start: { mark: 'node_modules', filters: ['--prod', ...START.flatMap((name) => ['--filter', name])] },
  all: { mark: 'node_modules/tap', filters: ['--filter', '!@verdict/evaluation'] },
  evaluation: { mark: 'evaluation/node_modules', filters: [] },
};

/**
 * The scope that was asked for, or the widest that is installed: neither command undoes the install of another.
 * @param {keyof typeof SCOPES} asked @param {(mark: string) => boolean} [isThere]
 */
export const widestScope = (asked, isThere = (mark) => existsSync(inRoot(mark))) =>
  Object.keys(SCOPES).findLast((name) => name === asked || isThere(SCOPES[name].mark));

/**
 * Installs exactly what the lockfile names; nothing when that was done before.
 * @param {keyof typeof SCOPES} asked
 * @param {(detail: string) => void} note
 */
export async function install(asked, note) {
  const scope = widestScope(asked);
  const label = pinned().replace('@', ' ');
  note(`${label}, frozen lockfile`);
  const decidedBy = {
    // The lockfile has the dependencies of every manifest.
    files: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    facts: [process.version, process.platform, process.arch, scope],
    result: 'node_modules/.modules.yaml',
  };
  const installed = await once('install', decidedBy, () =>
    run('npx', ['--yes', pinned(), 'install', '--frozen-lockfile', ...SCOPES[scope].filters], {
      log: logOf('install'),
      sentence: 'The dependencies could not be installed. The first time needs the npm registry.',
      env,
    }),
  );
  // The compiler does not look into node_modules again, and would report packages that are there by now as missing.
  if (installed) rmSync(inRoot('node_modules/.cache'), { recursive: true, force: true });
  else note(`${label}, up to date`);
}
