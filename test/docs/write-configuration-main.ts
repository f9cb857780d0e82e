import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-files.js';
import { configurationPage } from './configuration-page.js';

writeFileSync(join(ROOT, 'docs/configuration.md'), configurationPage());
