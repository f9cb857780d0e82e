import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { inRoot } from './paths.mjs';

/** Beside node_modules, which pnpm may remove while it runs. */
const KEPT = inRoot('.data/pinned');

const npm = async (...args) => (await promisify(execFile)('npm', args, { cwd: inRoot() })).stdout;

/**
 * The folder of a package without dependencies, downloaded with npm where it is not there. Fails unless the archive has the pinned hash,
 * because `npx` would run whatever the registry serves.
 * @param {string} pin such as `pnpm@10.34.8+sha512.f627…`
 */
export async function pinnedPackage(pin) {
  const [name, hash] = pin.split('+sha512.');
  const folder = path.join(KEPT, hash.slice(0, 32));
  const home = path.join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')));
  if (existsSync(folder)) return home;
  mkdirSync(KEPT, { recursive: true });
  const fresh = mkdtempSync(path.join(KEPT, 'fresh-'));
  try {
    const [{ filename }] = JSON.parse(await npm('pack', name, '--json', '--pack-destination', fresh));
    const archive = path.join(fresh, filename);
    const found = createHash('sha512').update(readFileSync(archive)).digest('hex');
    if (found !== hash)
      throw new Error(`${name} as downloaded is not the pinned one: its sha512 is ${found}.`);
    const quietly = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    await npm('install', '--prefix', fresh, ...quietly, archive);
    if (!existsSync(folder)) renameSync(fresh, folder);
    return home;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
