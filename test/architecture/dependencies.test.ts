import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from './source-files.js';

/** Needed without being imported: by the compiler, by generated code, as a peer of what is imported, or read as files. */
const NOT_IMPORTED =
  /^@types\/|^typescript$|^prisma$|^ioredis$|^@bull-board\/ui$|^@fontsource\/inter$|^kubernetes-models$/;
const GENERATED: Record<string, readonly string[]> = { 'packages/db': ['@prisma/client'] };
/** Every unit's tests may use these; and what cannot be bundled is installed at the root once more. */
const ROOT_MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const SHARED = Object.keys(ROOT_MANIFEST.devDependencies);

const units = ['packages', 'services']
  .flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`))
  .concat('test', 'bench', 'evaluation')
  .filter((unit) => existsSync(join(ROOT, unit, 'package.json')));

/** Lists of sources name packages whose data is read, style sheets those whose fonts are. */
const CODE = /\.(ts|tsx|mjs|mts|css)$|^sources\.json$/;

/** The code of a unit, without what others wrote or what was made from it. */
function codeOf(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'generated', 'data'].includes(entry.name)) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return codeOf(path);
    return CODE.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

/** Imported, resolved or read: anything in quotes that could be a package. */
const namedIn = (texts: readonly string[]): Set<string> =>
  new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/['"`]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"`\s]*)?['"`]/g)].map(([, name = '']) => name),
    ),
  );

const importedIn = (texts: readonly string[]): Set<string> =>
  new Set(
    texts
      .flatMap((text) => [...text.matchAll(/^(?:import|export)\b[^'";]*?from '([^'.][^']*)';$/gm)])
      .map(([, specifier = '']) => specifier)
      .filter((specifier) => !isBuiltin(specifier))
      .map(packageOf),
  );

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

t.test('a unit uses the packages that it names, and names those that it uses', async (t) => {
  for (const unit of units) {
    const manifest = JSON.parse(readFileSync(join(ROOT, unit, 'package.json'), 'utf8')) as {
      name: string;
      dependencies?: Record<string, string>;
      devDependencies?: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
    const { dependencies = {}, devDependencies = {}, peerDependencies = {} } = manifest;
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    const texts = codeOf(join(ROOT, unit));
    const used = namedIn(texts);
    t.strictSame(
      declared.filter(
        (name) => !used.has(name) && !NOT_IMPORTED.test(name) && !GENERATED[unit]?.includes(name),
      ),
      [],
      `${unit} uses what it names`,
    );
    t.strictSame(
      [...importedIn(texts)].filter(
        (name) =>
          !declared.includes(name) &&
          !SHARED.includes(name) &&
          !declared.includes(`@types/${name}`) &&
          !(name in peerDependencies) &&
          name !== manifest.name,
      ),
      [],
      `${unit} names what it uses`,
    );
  }
});
