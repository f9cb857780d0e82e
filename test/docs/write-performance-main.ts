import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-files.js';
import { performancePages } from './performance-pages.js';

for (const [page, text] of Object.entries(performancePages())) writeFileSync(join(ROOT, page), text);
