import { chmodSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from './failure.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** Another place lets a benchmark run its own stack beside the one that people use. */
export const dataDir = path.resolve(root, process.env.VERDICT_DATA_DIR ?? '.data');

/** @param {string[]} parts */
export const inRoot = (...parts) => path.join(root, ...parts);

/**
 * `.data` has one owner: started by another user, even by root, some files would change hands and the next start of
 * the owner would fail in the middle.
 */
export function makeDataDirectory() {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid && owner !== process.getuid()) throw belongsToAnother(dataDir);
  makeDirectory(dataDir);
}

/**
 * Makes a directory of ours. The default lets others pass through without listing it: as root, Postgres runs
 * under another user and must reach its own data inside. Everything secret in there has a mode of its own.
 * @param {string} directory
 */
export function makeDirectory(directory, mode = 0o711) {
  try {
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, mode);
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    throw belongsToAnother(directory);
  }
}

const belongsToAnother = (directory) =>
  new Failure(`${directory} belongs to another user: start as that user, or remove it to begin anew.`);
