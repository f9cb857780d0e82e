import { fileURLToPath } from 'node:url';

/** Path of a file that ships beside the bundles: `dist/assets`, next to the folder of the running bundle. */
export const assetPath = (name: string): string =>
  fileURLToPath(new URL(`../assets/${name}`, import.meta.url));
