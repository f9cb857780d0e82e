import { chmodSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout is two folders up from here, and from every bundle in `dist`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A path in the checkout. @param {string[]} parts */
export const inRoot = (...parts) => path.resolve(ROOT, ...parts);

/** A path among the data of `npm start` and `npm test`; a benchmark keeps its own beside them. @param {string[]} parts */
export const inData = (...parts) => inRoot(process.env.VERDICT_DATA_DIR ?? '.data', ...parts);

/** @param {string} name */
export const logOf = (name) => inData('logs', `${name}.log`);

/**
 * `.data` has one owner: started by another user, even by root, some files would change hands and the owner's next
 * start would fail. Others may pass through without listing it, because Postgres may run under another user and must
 * reach its data inside.
 */
export function makeDataDirectory() {
  const owner = statSync(inData(), { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid && owner !== process.getuid()) {
    throw new Error(`${inData()} belongs to another user: start as that user, or remove it to start over.`);
  }
  mkdirSync(inData('logs'), { recursive: true });
  chmodSync(inData(), 0o711);
  chmodSync(inData('logs'), 0o700);
}
