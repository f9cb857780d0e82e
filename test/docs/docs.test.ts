import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookKind } from '@verdict/contracts/hook-kinds.js';
import { HOOK_PROVIDERS } from '@verdict/domain/hooks/hook-providers.js';
import t from 'tap';
import { KIND_LIMITS, KIND_NAMES } from '../../services/dashboard/src/pages/hooks/texts.js';
import { ROOT } from '../architecture/source-files.js';
import { configurationPage } from './configuration-page.js';
import { performancePages } from './performance-pages.js';
import { signalPages } from './signal-pages.js';

/** The answer to a sign-up that a hook refuses. */
const REFUSED = { refused: true, message: 'No.', decision: 'block', logId: null };
const ABOUT = { payload: {}, secret: 'sixteen characters', nowMs: 0 };

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

t.test('docs/configuration.md says what the schemas say', async (t) => {
  t.equal(read('docs/configuration.md'), configurationPage(), 'run pnpm docs:configuration');
});

const pages = [
  ...[
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'test/failure/README.md',
  ],
  ...['packages/admission/README.md', 'packages/sdk/README.md'],
  ...['better-auth', 'php', 'python', 'recipes'].map((client) => `clients/${client}/README.md`),
  'evaluation/results/notes.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) => `docs/${name}`),
].filter((page) => page.endsWith('.md'));

const linksOf = (page: string): string[] =>
  [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:|^\//.test(target));

t.test(
  'the quickstart, docs/scoring.md and the client say what the tables of signals and flags say',
  async (t) => {
    for (const [page, text] of Object.entries(signalPages()))
      t.equal(read(page), text, `${page}: run npm run docs:signals`);
  },
);

t.test(
  'docs/performance.md, docs/scaling.md and SECURITY.md say what the newest result files say',
  async (t) => {
    for (const [page, text] of Object.entries(performancePages()))
      t.equal(read(page), text, `${page}: run npm run docs:performance`);
  },
);

t.test('every package has the version of the newest section in CHANGELOG.md', async (t) => {
  const [newest] = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  const folders = ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/`),
  );
  for (const folder of ['', 'bench/', 'evaluation/', 'prisma/', 'scripts/', 'test/', ...folders]) {
    const { version } = JSON.parse(read(`${folder}package.json`)) as { version: string };
    t.match(newest, new RegExp(`^${version.replaceAll('.', '\\.')} \\(`), `${folder}package.json`);
  }
  const overlay = read('deploy/kubernetes/overlays/production/kustomization.yaml');
  for (const [, tag = ''] of overlay.matchAll(/newTag: ([\w.-]+)/g))
    t.ok(newest?.startsWith(`${tag} (`), tag);
});

t.test('no page tells anybody to run a name that a stranger may own', async (t) => {
  for (const page of pages)
    t.notMatch(
      read(page),
      // With an extra index pip takes the package of a stranger on PyPI if its version is higher.
      /npx (?!--no -- |--package )\S*verdict-check|npx verdict check|--extra-index-url/,
      page,
    );
});

t.test(
  'every provider of hooks is named with its document, the day it was read and what it can refuse',
  async (t) => {
    const rows = read('docs/guides/hooks.md')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    t.match(rows[0], /Documents, read on \d{4}-\d\d-\d\d/);
    for (const [kind, name] of Object.entries(KIND_NAMES)) {
      const row = rows.find((line) => line.startsWith(`| ${name} `)) ?? '';
      if (kind !== 'generic') t.match(row, /\]\(https:/, name);
      const { status, body } = HOOK_PROVIDERS[kind as HookKind].answer(REFUSED, ABOUT);
      const refuses = status !== 200 || Object.keys(body).length > 0;
      t.match(
        row,
        refuses ? /before the sign-up|when you call it/ : /\*\*after\*\* the sign-up.*not possible/,
        name,
      );
      if (!refuses)
        t.match(KIND_LIMITS[kind as HookKind], /calls after the sign-up/, 'and the dashboard says it');
    }
  },
);

t.test('no page points to a file that is not there', async (t) => {
  for (const page of pages) {
    for (const target of linksOf(page))
      t.ok(existsSync(join(ROOT, dirname(page), target)), `${page} points to ${target}`);
  }
});

t.test('no page points to a heading that is not there', async (t) => {
  for (const page of pages) {
    for (const [, target = '', anchor = ''] of read(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)) {
      const named = target === '' ? page : join(dirname(page), target);
      t.ok(anchorsOf(named).includes(anchor), `${page} points to ${anchor} of ${named}`);
    }
  }
});

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\s-]/gu, '')
      .replaceAll(' ', '-'),
  );

t.test('the walk of one check names at most 45 files, and each exists', async (t) => {
  const walk = /## One check[\s\S]*?(?=\n- \*\*)/.exec(read('ARCHITECTURE.md'))?.[0] ?? '';
  const files = [...walk.matchAll(/^\|[^|]*\| `([^`]+)` +\|(.*)\|$/gm)].flatMap(
    ([, folder = '', cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, file]) => `${folder}/${file}`),
  );
  t.ok(files.length > 30 && files.length <= 45, `${files.length} files`);
  for (const file of files) t.ok(existsSync(join(ROOT, file)), file);
});

t.test('every page is reached from the README', async (t) => {
  const linked = linksOf('README.md');
  t.strictSame(
    pages.filter((page) => /^docs\/[^/]+$/.test(page) && !linked.includes(page)),
    [],
  );
});

t.test('pages name only files and commands that exist', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const page of pages.filter((name) => name !== 'CHANGELOG.md')) {
    const paths =
      /`((?:services|packages|test|config|prisma|bench|evaluation|scripts|deploy|docs)\/[\w./-]+)`/g;
    for (const [, path = ''] of read(page).matchAll(paths))
      t.ok(existsSync(join(ROOT, path)), `${page} names ${path}`);
    const commands = /`(?:npm run|pnpm|npx pnpm@[\d.]+) ([a-z][\w:-]*)/g;
    for (const [, command = ''] of read(page).matchAll(commands))
      t.ok(command in scripts || ['install', 'test', 'start'].includes(command), `${page} names ${command}`);
  }
});
