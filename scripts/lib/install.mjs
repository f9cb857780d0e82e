import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { once } from './once.mjs';
import { inRoot, root } from './paths.mjs';
import { projects } from './projects.mjs';
import { run } from './run.mjs';

/** The pinned package manager, such as `pnpm@10.34.8`. */
const pinned = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).packageManager;

/**
 * Through npx, because Node ships npm but no pnpm. CI=true: pnpm must never stop to ask.
 * @param {string[]} args
 * @param {{ log: string, sentence: string }} options
 */
export const pnpm = (args, options) =>
  run('npx', ['--yes', pinned(), ...args], { ...options, env: { ...process.env, CI: 'true' } });

/** What a command of the package manager prints. @param {string[]} args */
export async function pnpmOutput(args) {
  const options = { cwd: root, env: { ...process.env, CI: 'true' }, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)('npx', ['--yes', pinned(), ...args], options)).stdout;
}

/** Installs exactly what the lockfile names; nothing when that was done before. @param {(detail: string) => void} note */
export async function install(note) {
  const label = pinned().replace('@', ' ');
  note(`${label}, frozen lockfile`);
  const decidedBy = {
    files: ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...projects().map((one) => `${one}/package.json`)],
    facts: [process.version, process.platform, process.arch],
    result: 'node_modules/.modules.yaml',
  };
  const installed = await once('install', decidedBy, () =>
    pnpm(['install', '--frozen-lockfile'], {
      log: 'install',
      sentence: 'The dependencies could not be installed (the first time needs the npm registry).',
    }),
  );
  if (!installed) note(`${label}, up to date`);
}
