import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import { buildDatasets } from '../src/build/build-datasets.js';
import { readInstalled } from '../src/build/read-installed.js';
import { readSources } from '../src/sources/read-sources.js';

const SHIPPED_DIR = inRoot('packages/datasets/data');
const LISTS_DIR = inRoot('packages/datasets/lists');

mkdirSync(SHIPPED_DIR, { recursive: true });
const sources = readSources(LISTS_DIR);
const files = buildDatasets({ listsDir: LISTS_DIR, sources, parts: readInstalled(sources) });
for (const [file, text] of files) {
  writeFileSync(join(SHIPPED_DIR, file), text);
  process.stdout.write(`${file} ${text.length} bytes\n`);
}
