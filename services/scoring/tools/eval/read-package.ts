import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** A file of an installed package as text, found by walking the look-up paths: most do not export what matters. */
export function readPackageFile(packageName: string, path: string): string {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return readFileSync(join(folder, packageName, path), 'utf8');
    } catch {
      // Not in this node_modules; the next one up may have it.
    }
  }
  throw new Error(`${packageName}/${path} is not installed`);
}

export function readPackageJson<T>(packageName: string, path: string): T {
  return JSON.parse(readPackageFile(packageName, path)) as T;
}
