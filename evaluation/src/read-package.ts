import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inRoot } from '@verdict/local-stack/paths.js';

/** Resolves from this workspace, because the bundle is in `dist` without packages beside it. */
const require = createRequire(inRoot('evaluation/package.json'));

export const readPackageFile = (packageName: string, path: string): string =>
  readFileSync(require.resolve(`${packageName}/${path}`), 'utf8');

export const readPackageJson = <T>(packageName: string, path: string): T =>
  JSON.parse(readPackageFile(packageName, path)) as T;

/** A peer as its users load it, not bundled with us. */
export const loadPackage = <T>(packageName: string): T => require(packageName) as T;
