import { fileURLToPath } from 'node:url';

/** Where a file that ships beside the bundles lies: `dist/assets`, next to the folder that the running bundle is in. */
export const assetPath = (name: string): string =>
  fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
