import { existsSync, rmSync } from 'node:fs';
import { Failure } from './failure.mjs';
import { once } from './once.mjs';
import { inRoot, logOf } from './paths.mjs';
import { pnpmLabel, pnpmProgram } from './pnpm.mjs';
import { run } from './run.mjs';

/** pnpm must never stop to ask. */
const env = { ...process.env, CI: 'true' };

const ORDINARY = ['--filter', '!@verdict/evaluation'];
/**
 * Each scope includes the ones before it and installs this. `start` has what runs and builds: no tests, no types, no
 * linter; `all` lacks the packages that only the evaluation compares with.
 */
const SCOPES = {
  start: { mark: 'node_modules', options: ['--prod', ...ORDINARY] },
  all: { mark: 'node_modules/tap', options: ORDINARY },
  evaluation: { mark: 'evaluation/node_modules', options: [] },
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
  const label = pnpmLabel();
  note(`${label}, frozen lockfile`);
  const decidedBy = {
    // The lockfile has the dependencies of every manifest.
    files: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    facts: [process.version, process.platform, process.arch, scope],
    result: 'node_modules/.modules.yaml',
  };
  const sentence = 'The dependencies could not be installed. The first time needs the npm registry.';
  const installed = await once('install', decidedBy, async () => {
    const program = await pnpmProgram().catch(({ message }) => {
      throw new Failure(sentence, message);
    });
    const args = [program, 'install', '--frozen-lockfile', ...SCOPES[scope].options];
    await run(process.execPath, args, { log: logOf('install'), sentence, env });
  });
  // The compiler does not look into node_modules again, and would report packages that are there by now as missing.
  if (installed) rmSync(inRoot('node_modules/.cache'), { recursive: true, force: true });
  else note(`${label}, up to date`);
}
