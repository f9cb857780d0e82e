import { fileURLToPath } from 'node:url';

// dist/src/shipped.js; both folders lie beside dist.
/** The release that comes with the package: good from the first start, without any network. */
export const SHIPPED_DIR = fileURLToPath(new URL('../../data', import.meta.url));
/** Lists kept by hand, the table of sources and the labelled set. */
export const LISTS_DIR = fileURLToPath(new URL('../../lists', import.meta.url));
