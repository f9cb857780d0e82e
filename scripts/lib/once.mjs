import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

// In node_modules, so that removing node_modules also forgets what was done there.
const STAMPS = inRoot('node_modules/.verdict-stamps');

/**
 * Does the work unless it was done for the same content of the same files and its result is still there.
 * @param {string} name of the work
 * @param {{ files: string[], facts?: string[], result: string }} decidedBy files and result relative to the checkout
 * @param {() => Promise<void>} work
 * @returns {Promise<boolean>} whether there was anything to do
 */
export async function once(name, { files, facts = [], result }, work) {
  const hash = createHash('sha256').update(facts.join('\0'));
  for (const file of files)
    hash.update(`\0${file}\0`).update(existsSync(inRoot(file)) ? readFileSync(inRoot(file)) : '');
  const fingerprint = hash.digest('hex');
  const stamp = `${STAMPS}/${name}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint && existsSync(inRoot(result)))
    return false;
  await work();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, fingerprint);
  return true;
}
