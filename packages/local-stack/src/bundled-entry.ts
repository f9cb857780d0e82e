import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { inData, inRoot } from './paths.js';

// A service is some two thousand files, and finding, reading and compiling them is two thirds of what its start
// costs. A run of all tests starts hundreds of processes, so it puts each program into one file first: the same compiled
// code, loaded at a fifth of the price once V8 has seen it. `npm start` and the images run the files as they are, and so
// do their tests.

/** Every program of ours that tests start again and again. */
const ENTRIES = [
  'services/gateway/dist/src/main.js',
  'services/scoring/dist/src/main.js',
  'services/control-plane/dist/src/main.js',
  'services/control-plane/dist/src/seed-main.js',
  'services/worker/dist/src/main.js',
  'services/operator-cli/dist/src/main.js',
];

/** Where they are, told to test files as TEST_BUNDLES. */
const BUNDLES = inData('test/bundles');

/** The file to run, beside the program itself. */
const MAIN = 'main.mjs';

const directoryOf = (bundles: string, entry: string): string => join(bundles, entry.replaceAll('/', '-'));

/** Makes them anew and returns what the test files are told. */
export async function bundleEntries(): Promise<{ readonly TEST_BUNDLES: string }> {
  await Promise.all(ENTRIES.map(bundle));
  return { TEST_BUNDLES: BUNDLES };
}

/** The file to run for a program of ours: the bundle where there is one. */
export function entryFile(entry: string): string {
  const bundled = join(directoryOf(process.env.TEST_BUNDLES ?? '', entry), MAIN);
  return process.env.TEST_BUNDLES && existsSync(bundled) ? bundled : inRoot(entry);
}

async function bundle(entry: string): Promise<void> {
  const main = inRoot(entry);
  const transform = (code: string, file: string): string | null => {
    const changed = withOwnAddress(file === main ? withoutAwait(code) : code, file);
    return changed === code ? null : changed;
  };
  const made = await rolldown({
    input: { program: main },
    platform: 'node',
    logLevel: 'silent',
    plugins: [{ name: 'own-address', transform, resolveId: addressLeftAlone }],
  });
  const dir = directoryOf(BUNDLES, entry);
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' };
  await made.write({
    dir,
    format: 'cjs',
    dynamicImportInCjs: false,
    keepNames: true,
    cleanDir: true,
    ...names,
  });
  await made.close();
  const [runner, program] = [new URL('./run-bundle.js', import.meta.url).href, join(dir, 'program.cjs')];
  const call = `runBundle(${JSON.stringify(program)});`;
  writeFileSync(join(dir, MAIN), `import { runBundle } from ${JSON.stringify(runner)};\n${call}\n`);
}

/** What V8 has compiled can be kept of scripts only, and a script knows no `await` at its top. */
function withoutAwait(code: string): string {
  const lines = code.split('\n');
  const begins = lines.findLastIndex((line) => line.startsWith('import ')) + 1;
  return [...lines.slice(0, begins), 'void (async () => {', ...lines.slice(begins), '})();'].join('\n');
}

/** Native code, and a board that finds its pages by evaluating `require`, stay where they are. */
const LEFT_ALONE = /^(@node-rs|@bull-board)\//;

function addressLeftAlone(
  wanted: string,
  importer: string | undefined,
): { id: string; external: true } | null {
  if (!LEFT_ALONE.test(wanted) || !importer) return null;
  return { id: createRequire(importer).resolve(wanted), external: true };
}

/** Scripts, lists, pages and fonts are found from the file that asks for them: it still believes to be where it was. */
function withOwnAddress(code: string, file: string): string {
  return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href));
}
