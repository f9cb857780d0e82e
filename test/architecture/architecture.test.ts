import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { filesIn } from '@verdict/local-stack/test-lanes.js';
import t from 'tap';
import { readImportTable } from './import-table.js';
import { ROOT, readSources, type SourceFile } from './source-files.js';

/** Which unit may import which package: the table of ARCHITECTURE.md. */
const ALLOWED = readImportTable();

/** Packages that only the named units may use: what makes a wall a wall. */
const RESERVED: Record<string, readonly string[]> = {
  '@prisma/client': ['packages/db'],
  '@prisma/adapter-pg': ['packages/db'],
  pg: ['packages/db'],
  bullmq: ['packages/queues', 'services/worker'],
  '@node-rs/argon2': ['packages/db'],
  pdfkit: ['packages/invoicing'],
  nodemailer: ['packages/mail'],
  '@opentelemetry/api': ['packages/telemetry'],
  '@opentelemetry/sdk-trace-base': ['packages/telemetry'],
};

/** The local stack runs on one machine and in tests, so the walls of production do not bind it; it must never ship. */
const LOCAL_STACK = 'packages/local-stack';
const sources = readSources().filter((file) => file.unit !== LOCAL_STACK);
const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

t.test('a unit imports only what stands below it', async (t) => {
  for (const file of sources) {
    for (const { specifier } of file.imports) {
      if (!specifier.startsWith('@verdict/')) continue;
      const target = specifier.split('/')[1] ?? '';
      t.ok(ALLOWED[file.unit]?.includes(target), `${file.path} imports ${specifier}`);
    }
  }
});

t.test('package.json says the same as the table', async (t) => {
  for (const [unit, allowed] of Object.entries(ALLOWED)) {
    const manifest = JSON.parse(readFileSync(join(ROOT, unit, 'package.json'), 'utf8'));
    const depends = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@verdict/'));
    t.strictSame(depends.map((name) => name.slice('@verdict/'.length)).sort(), [...allowed].sort(), unit);
  }
});

t.test('every unit is in the table', async (t) => {
  const units = ['packages', 'services'].flatMap((floor) =>
    readdirSync(join(ROOT, floor)).map((name) => `${floor}/${name}`),
  );
  t.strictSame(
    units.filter((unit) => !(unit in ALLOWED) && unit !== LOCAL_STACK),
    [],
  );
});

/** Everything loaded with a file through its imports: our files, and packages. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  const file = sources.find((source) => source.path === path);
  if (!file || seen.has(path)) return seen;
  seen.add(path);
  for (const { specifier, typeOnly, dynamic } of file.imports) {
    if (typeOnly || dynamic) continue;
    if (specifier.startsWith('.'))
      loadedWith(posix.join(posix.dirname(path), specifier).replace(/js$/, 'ts'), seen);
    else if (specifier.startsWith('@verdict/')) {
      const [, name, ...rest] = specifier.split('/');
      loadedWith(`packages/${name}/src/${rest.join('/').replace(/js$/, 'ts')}`, seen);
    } else seen.add(packageName(specifier));
  }
  return seen;
}

t.test('a command that only reads from Postgres loads nothing that takes longer than it', async (t) => {
  const SLOW = ['typebox', 'pdfkit', 'bullmq', 'ioredis', '@node-rs/argon2', 'csv-stringify'];
  t.ok(loadedWith('packages/invoicing/src/invoice-pdf.ts').has('pdfkit'), 'it would be found');
  for (const command of ['accounts', 'usage', 'statements', 'invoices', 'keys', 'plans', 'audit']) {
    const loaded = loadedWith(`services/operator-cli/src/commands/${command}.ts`);
    t.ok(loaded.size > 3);
    t.strictSame(
      SLOW.filter((name) => loaded.has(name)),
      [],
      `verdict ${command}`,
    );
  }
});

t.test('no program but a test loads tap, which would wait for tests', async (t) => {
  const folder = join(ROOT, 'dist/tools');
  const loads = (file: string, seen: Set<string>): Set<string> => {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, found = ''] of text.matchAll(/^import (?:.* from )?"(.+)";$/gm)) {
      if (seen.has(found)) continue;
      seen.add(found);
      if (found.startsWith('./')) loads(found, seen);
    }
    return seen;
  };
  const programs = readdirSync(folder).filter((file) => /-(main|command)\.js$/.test(file));
  t.ok(programs.length > 10);
  for (const program of programs) t.notOk(loads(program, new Set()).has('tap'), program);
});

t.test('databases, queues and password hashing are reached only from where they belong', async (t) => {
  for (const file of sources) {
    for (const { specifier } of file.imports) {
      const owners = RESERVED[packageName(specifier)];
      if (owners) t.ok(owners.includes(file.unit), `${file.path} imports ${specifier}`);
    }
  }
});

t.test('a Redis connection is made in one file only', async (t) => {
  const makers = sources
    .filter((file) => /new (Punctual)?(Redis|Cluster)\(/.test(file.text))
    .map((file) => file.path);
  t.strictSame(makers, ['packages/redis-store/src/connect.ts']);
});

t.test('rows are read with SQL through a shape only', async (t) => {
  // The methods that take the type of a row on trust, in Prisma and in pg, and those that take SQL as a plain text.
  const UNCHECKED = /\$queryRaw\b|\$(query|execute)RawUnsafe\b|\.query</;
  const readers = sources.filter((file) => UNCHECKED.test(file.text)).map((file) => file.path);
  t.strictSame(readers, ['packages/db/src/database/client-rows.ts', 'packages/db/src/database/rows-of.ts']);
});

t.test('a union of literals is written out, or it is an enum of its list', async (t) => {
  // `Type.Union(LIST.map(Type.Literal))` has the static type `never`, which every type satisfies.
  const UNTYPED = /Type\.(Union|Intersect|Tuple)\(\s*(?!\[)\S|\.map\([^;]{0,80}Type\.Literal\b/;
  t.match('Type.Union(\n  NAMES.map((name) => Type.Literal(name)))', UNTYPED);
  t.match('Type.Union([...NAMES.map((name) => Type.Literal(name))])', UNTYPED);
  const files = sources.filter((file) => UNTYPED.test(file.text)).map((file) => file.path);
  t.strictSame(files, [], 'Type.Enum(LIST) has the right type');
});

t.test('the four decisions are written once', async (t) => {
  const LISTED = /'allow'\W{1,5}'challenge'\W{1,5}'review'\W{1,5}'block'/;
  const lists = sources.filter(({ text }) => LISTED.test(text)).map(({ path }) => path);
  t.strictSame(
    lists,
    // The client is published without dependencies.
    ['packages/domain/src/decision.ts', 'packages/sdk/src/answers.ts', 'packages/sdk/src/is-answer.ts'],
    'take DECISIONS from the domain',
  );
});

t.test('a page calls the API only by a route of the contract', async (t) => {
  const senders = sources
    // Samples for people to copy send nothing.
    .filter(({ path }) => path.startsWith('services/dashboard/src/') && !path.endsWith('-samples.ts'))
    .filter(({ text }) => /\b(fetch|requestRaw|send)\(|new XMLHttpRequest/.test(text))
    .map(({ path }) => path.replace('services/dashboard/src/', ''));
  t.strictSame(
    senders,
    [
      'api/call.ts',
      'api/connection.ts',
      'api/download.ts',
      'api/hooks.ts',
      'api/openapi.ts',
      'api/request.ts',
      'api/send-csv.ts',
      'api/send.ts',
      'api/session.ts',
      'api/upload.ts',
      // Guests have no session, and the page none of the application's code.
      'front/try-address.ts',
      // Tries any operation of the document.
      'pages/reference/TryIt.tsx',
      // Saves the file of an address that `addressOf` has typed.
      'ui/file/SaveFileButton.tsx',
    ],
    'pages use call, getQuery and pagedQuery',
  );
});

t.test('a double cast stands only where a library forces it', async (t) => {
  const casts = sources.flatMap(({ path, text }) => [...text.matchAll(/\bas unknown as\b/g)].map(() => path));
  t.strictSame(casts, ['packages/queues/src/check-log-inserts.ts'], 'types that say the truth need none');
});

t.test('pages that the dashboard shows are in the context that images are built from', async (t) => {
  const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const pages = sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ specifier }) =>
      specifier.endsWith('.md') ? [posix.join(posix.dirname(path), specifier)] : [],
    ),
  );
  t.ok(pages.length > 5);
  for (const page of pages)
    t.ok(
      kept.some((line) => page.startsWith(line.slice(1))),
      page,
    );
});

t.test('the environment is read in config.ts only', async (t) => {
  const readers = sources.filter((file) => /process\.env\b/.test(file.text)).map((file) => file.path);
  t.strictSame(
    readers.filter((path) => !path.endsWith('/config.ts')),
    [],
  );
});

t.test('files import files, not barrels, and never in a circle', async (t) => {
  const graph = new Map(sources.map((file) => [file.path, valueImports(file)]));
  t.strictSame(
    sources.filter((file) => file.path.endsWith('/index.ts')).map((file) => file.path),
    [],
  );
  t.strictSame(findCycle(graph), null);
});

t.test('routes and use cases know the composition root only as a type', async (t) => {
  for (const file of sources) {
    if (file.path.endsWith('/main.ts') || file.path.endsWith('/dependencies.ts')) continue;
    for (const { specifier, typeOnly } of file.imports) {
      if (/\/dependencies\.js$/.test(specifier))
        t.ok(typeOnly, `${file.path} imports ${specifier} as a type`);
    }
  }
});

t.test('the four processes have one shape', async (t) => {
  const SHAPE = ['app.ts', 'config.ts', 'dependencies.ts', 'main.ts', 'metrics.ts'];
  for (const service of ['gateway', 'scoring', 'control-plane', 'worker']) {
    const names = readdirSync(join(ROOT, 'services', service, 'src'));
    t.strictSame(
      SHAPE.filter((name) => names.includes(name)),
      SHAPE,
      service,
    );
  }
});

function valueImports(file: SourceFile): string[] {
  return file.imports
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !typeOnly)
    .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts'));
}

/** The first circle found, as a path, or null. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  function visit(path: string, trail: readonly string[]): string[] | null {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  }
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle) return cycle;
  }
  return null;
}

t.test(
  'no test file asserts outside a test: tap would end there, and skip the tests that follow',
  async (t) => {
    const files = filesIn('all');
    t.ok(files.length > 200, `${files.length} files`);
    for (const file of files)
      t.notMatch(
        readFileSync(join(ROOT, file), 'utf8'),
        /^t\.(?!test|teardown|before|after|comment|setTimeout)\w+\(/m,
        file,
      );
  },
);
