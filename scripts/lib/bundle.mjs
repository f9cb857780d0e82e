import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { inRoot } from './paths.mjs';

const require = createRequire(import.meta.url);
/** Native code, the test library and the browser driver stay packages: the root's manifest names them all. */
const { dependencies, devDependencies } = require(inRoot('package.json'));
const external = Object.keys({ ...dependencies, ...devDependencies }).map(
  (name) => new RegExp(`^${name}(/|$)`),
);

/**
 * Bundles programs from TypeScript into `dist/FOLDER`: one graph, a file for each program and shared chunks. All files
 * are in one folder, so that `../assets` is the same for every module.
 * @param {string} folder
 * @param {Record<string, string>} programs source files by name, from the checkout
 * @param {{ replaced?: Record<string, string>, plugins?: object[] }} [options] source files to take for others, by the file
 * that they replace, and further plugins
 */
export async function bundle(folder, programs, { replaced = {}, plugins = [] } = {}) {
  const graph = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, inRoot(file)])),
    platform: 'node',
    external,
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      // Published with its own build; inside the workspace its source is meant.
      alias: { '@verdict/sdk': inRoot('packages/sdk/src/verdict.ts') },
    },
    moduleTypes: { '.lua': 'text' },
    plugins: [...plugins, { name: 'left-outside', resolveId: leaveOutside }, replacing(replaced)],
    onLog(_level, { code, message }) {
      // An import that leads nowhere is an error, not a surprise at run time.
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
  });
  await graph.write({
    dir: inRoot('dist', folder),
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    // The sources are in the checkout; without their text a service loads its maps in half the time.
    sourcemapExcludeSources: true,
    keepNames: true,
    // A gateway compiles half the text in a tenth less of its start. Tests stay as written, because coverage counts lines.
    minify: folder === 'services',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await graph.close();
}

/** @param {Record<string, string>} replaced */
function replacing(replaced) {
  const files = new Map(Object.entries(replaced).map((pair) => pair.map((file) => inRoot(file))));
  return {
    name: 'replaced',
    async resolveId(source, importer) {
      const found = files.size > 0 && (await this.resolve(source, importer, { skipSelf: true }));
      return found ? (files.get(found.id) ?? null) : null;
    },
  };
}

const UNIT = /^((?:packages|services)\/[^/]+|test|bench|evaluation)\//;
/**
 * Packages that only tests need are loaded from where they are installed: compilers and browsers' rules read files
 * beside themselves.
 */
async function leaveOutside(source, importer = '') {
  const [, unit] = UNIT.exec(path.relative(inRoot(), importer)) ?? [];
  const name = source.split('/', source.startsWith('@') ? 2 : 1).join('/');
  if (!unit || name.startsWith('@verdict/')) return null;
  if (!require(inRoot(unit, 'package.json')).devDependencies?.[name]) return null;
  const found = await this.resolve(source, importer, { skipSelf: true });
  return found && { id: found.id, external: 'absolute' };
}
