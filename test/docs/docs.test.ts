import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';
import { configurationPage } from './configuration-page.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

t.test('docs/configuration.md says what the schemas say', async (t) => {
  t.equal(read('docs/configuration.md'), configurationPage(), 'run pnpm docs:configuration');
});

t.test('no page points to a file that is not there', async (t) => {
  for (const page of [
    'README.md',
    'ARCHITECTURE.md',
    'docs/billing.md',
    'docs/datasets.md',
    'docs/operations.md',
    'docs/performance.md',
    'docs/scoring.md',
    'docs/addresses.md',
  ]) {
    for (const [, target = ''] of read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      t.ok(existsSync(join(ROOT, dirname(page), target)), `${page} points to ${target}`);
    }
  }
});

t.test('ARCHITECTURE.md and README.md name only files and commands that exist', async (t) => {
  for (const page of ['ARCHITECTURE.md', 'README.md']) {
    for (const [, path = ''] of read(page).matchAll(
      /`((?:services|packages|test|config|prisma|bench)\/[\w./-]+)`/g,
    )) {
      t.ok(existsSync(join(ROOT, path)), `${page} names ${path}`);
    }
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, command = ''] of read(page).matchAll(/`(?:npm run|pnpm|npx pnpm@[\d.]+) ([a-z][\w:-]*)/g)) {
      t.ok(command in scripts, `${page} names the command ${command}`);
    }
  }
});
