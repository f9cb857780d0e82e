import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from '@verdict/contracts/pages.js';
import t from 'tap';
import { ROOT } from './source-files.js';

t.test(
  'every route of the web application is a page that the server answers with 200, and no other',
  async (t) => {
    const folder = join(ROOT, 'services/dashboard/src/routes');
    const routes = readdirSync(folder).flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/path: '\/([\w-]*)/g),
    ]);
    const named = new Set(routes.map(([, first = '']) => first));
    t.ok(named.size > 10, 'routes are found');
    t.strictSame([...PAGES].sort(), [...named].sort());
  },
);
