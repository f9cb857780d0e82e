import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

/** The pinned package manager, such as `pnpm@10.34.8`. */
export const pinnedPnpm = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).packageManager;

/**
 * Through npx, because Node ships npm but no pnpm. CI=true: pnpm must never stop to ask.
 * @param {string[]} args
 * @param {{ log: string, sentence: string }} options
 */
export function pnpm(args, { log, sentence }) {
  return run('npx', ['--yes', pinnedPnpm(), ...args], { log, sentence, env: { ...process.env, CI: 'true' } });
}
