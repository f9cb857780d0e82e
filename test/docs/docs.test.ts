import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';
import { configurationPage } from './configuration-page.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

t.test('docs/configuration.md says what the schemas say', async (t) => {
  t.equal(read('docs/configuration.md'), configurationPage(), 'run pnpm docs:configuration');
});

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'test/failure/README.md'],
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
].filter((page) => page.endsWith('.md'));

const linksOf = (page: string): string[] =>
  [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

t.test('no page points to a file that is not there', async (t) => {
  for (const page of pages) {
    for (const target of linksOf(page))
      t.ok(existsSync(join(ROOT, dirname(page), target)), `${page} points to ${target}`);
  }
});

t.test('every page is reached from the README', async (t) => {
  const linked = linksOf('README.md');
  t.strictSame(
    pages.filter((page) => page.startsWith('docs/') && !linked.includes(page)),
    [],
  );
});

t.test('pages name only files and commands that exist', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const page of pages.filter((name) => name !== 'CHANGELOG.md')) {
    const paths = /`((?:services|packages|test|config|prisma|bench|scripts|deploy|docs)\/[\w./-]+)`/g;
    for (const [, path = ''] of read(page).matchAll(paths))
      t.ok(existsSync(join(ROOT, path)), `${page} names ${path}`);
    const commands = /`(?:npm run|pnpm|npx pnpm@[\d.]+) ([a-z][\w:-]*)/g;
    for (const [, command = ''] of read(page).matchAll(commands))
      t.ok(command in scripts || ['install', 'test', 'start'].includes(command), `${page} names ${command}`);
  }
});
