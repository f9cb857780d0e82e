import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-files.js';
import { signalPages } from './signal-pages.js';

for (const [page, text] of Object.entries(signalPages())) writeFileSync(join(ROOT, page), text);
