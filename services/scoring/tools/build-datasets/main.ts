import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDatasets } from './build-datasets.js';

// dist/tools/build-datasets/main.js; the package is three folders up.
const packageDir = fileURLToPath(new URL('../../../', import.meta.url));
const dataDir = join(packageDir, 'data');

mkdirSync(dataDir, { recursive: true });
for (const [file, text] of buildDatasets(join(packageDir, 'datasets'))) {
  writeFileSync(join(dataDir, file), text);
  process.stdout.write(`${file} ${text.length} bytes\n`);
}
