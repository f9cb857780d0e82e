import { chmodSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Another place lets a benchmark run its own stack beside the one that people use. */
export const dataDir = path.resolve(root, process.env.VERDICT_DATA_DIR ?? '.data');

/** @param {string[]} parts */
export const inRoot = (...parts) => path.join(root, ...parts);

/** @param {string} name */
export const logOf = (name) => path.join(dataDir, 'logs', `${name}.log`);

/**
 * `.data` has one owner: started by another user, even by root, some files would change hands and the owner's next
 * start would fail. Others may pass through without listing it, because Postgres may run under another user and must
 * reach its data inside.
 */
export function makeDataDirectory() {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid && owner !== process.getuid()) {
    throw new Error(`${dataDir} belongs to another user: start as that user, or remove it to start over.`);
  }
  mkdirSync(path.join(dataDir, 'logs'), { recursive: true });
  chmodSync(dataDir, 0o711);
  chmodSync(path.join(dataDir, 'logs'), 0o700);
}
