import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.js';

/** The packages that each unit may import, read from ARCHITECTURE.md so that page and test cannot differ. */
export function readImportTable(): Record<string, readonly string[]> {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rows = page.matchAll(/^\| `((?:packages|services)\/[\w-]+)` +\| ([\w, -]+?) +\|$/gm);
  return Object.fromEntries(
    [...rows].map(([, unit, packages = '']) => [unit, packages === 'nothing' ? [] : packages.split(', ')]),
  );
}
