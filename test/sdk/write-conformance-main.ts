import { writeFileSync } from 'node:fs';
import { inRoot } from '@verdict/local-stack/paths.js';
import { CONFORMANCE_PAGE, conformancePage } from './conformance-page.js';
import { runClients } from './run-clients.js';

writeFileSync(inRoot(CONFORMANCE_PAGE), conformancePage(await runClients()));
