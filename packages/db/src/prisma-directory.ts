import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder with the schema and the migrations. In a checkout it lies at the root of the workspace, in an image beside
 * the node_modules that this package was installed into: in both, in the nearest folder above that has it.
 */
export function findPrismaDirectory(from: string = fileURLToPath(import.meta.url)): string {
  for (let directory = dirname(from); directory !== dirname(directory); directory = dirname(directory)) {
    const candidate = join(directory, 'prisma');
    // The npm package of that name has no lock file.
    if (existsSync(join(candidate, 'migrations/migration_lock.toml'))) return candidate;
  }
  throw new Error('prisma/migrations was not found in any folder above');
}
