import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Every bundle is in a folder of `dist`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A path in the checkout. */
export const inRoot = (...parts: readonly string[]): string => resolve(ROOT, ...parts);

/** A path among the data of `npm start` and `npm test`; a benchmark keeps its own beside them. */
export const inData = (...parts: readonly string[]): string =>
  inRoot(process.env.VERDICT_DATA_DIR ?? '.data', ...parts);

/** The documents of `npm run demo:month`, which `npm start -- --fresh` leaves alone. */
export const PAPERS = 'papers';
