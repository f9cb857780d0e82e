import { writeFileSync } from 'node:fs';
import { CLIENTS_PAGE, clientsPage, runClients } from './run-clients.js';

/** `npm run docs:clients` */
writeFileSync(CLIENTS_PAGE, clientsPage(await runClients()));
