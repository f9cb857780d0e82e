import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compressFiles } from './compress-files.mjs';
import { once } from './once.mjs';
import { inRoot, logOf } from './paths.mjs';
import { programName } from './program-name.mjs';
import { run } from './run.mjs';

/** Programs start these from the folder that their bundle is in. */
export const THREADS = {
  'update-thread': 'packages/datasets/src/update/update-thread.ts',
  'archive-thread': 'packages/db/src/facts/archive-thread.ts',
};

/** Shipped programs: the four services, the operator's command, and the two programs that prepare a database. */
export const SERVICES = {
  gateway: 'services/gateway/src/main.ts',
  scoring: 'services/scoring/src/main.ts',
  worker: 'services/worker/src/main.ts',
  'control-plane': 'services/control-plane/src/main.ts',
  verdict: 'services/operator-cli/src/main.ts',
  seed: 'services/control-plane/src/seed-main.ts',
  migrate: 'packages/db/src/database/migrate-main.ts',
  ...THREADS,
};

/** Not shipped: the build runs it. */
const OPENAPI = { 'build-document': 'services/control-plane/src/openapi/build-document.ts' };

/** `npm start` itself, which is not part of any image. */
const START = { start: 'packages/local-stack/src/start-command.ts' };

/** Programs of a checkout only: tests, benchmarks and the commands of contributors, by their paths. */
const TOOLS =
  /(\.test|-main|-command)\.ts$|^packages\/sdk\/(examples\/webhook|src\/cli\/verdict-check)\.ts$|^bench\/(?!lib\/).*\.mjs$/;

/** The evaluation has a separate graph, because an ordinary install lacks its packages. */
const GRAPHS = { tools: ['packages', 'services', 'test', 'bench'], evaluation: ['evaluation'] };

/** Files beside the bundles, and where they come from. */
const ASSETS = {
  'datasets/data': 'packages/datasets/data',
  'datasets/lists': 'packages/datasets/lists',
  definitions: 'prisma/definitions',
  fonts: 'packages/invoicing/node_modules/@fontsource/inter/files',
  migrations: 'prisma/migrations',
  'plans.json': 'config/plans.json',
  'queue-page/dist': 'services/worker/node_modules/@bull-board/ui/dist',
};
/** Invoices are set in two of the many files of a font. */
const isWanted = (file) => !/\.woff2?$/.test(file) || /-[46]00-normal\.woff$/.test(file);

const DASHBOARD = 'services/dashboard';

/** Loaded when it is called: rolldown may not be installed before. @type {typeof import('./bundle.mjs').bundle} */
const bundle = async (...given) => (await import('./bundle.mjs')).bundle(...given);

/** The bundles of the services and their assets in `dist`; nothing when no source has changed. */
export const buildServices = () =>
  built('services', ['packages', 'services', 'config', 'prisma'], async () => {
    await bundle('services', SERVICES);
    for (const [asset, source] of Object.entries(ASSETS)) {
      // Or a migration that another branch has would stay and be applied.
      rmSync(inRoot('dist/assets', asset), { recursive: true, force: true });
      cpSync(inRoot(source), inRoot('dist/assets', asset), { recursive: true, filter: isWanted });
    }
    await writeOpenApi();
  });

/** Writes the OpenAPI document from the routes of the contract, so that no request waits for it. */
async function writeOpenApi() {
  await bundle('openapi', OPENAPI);
  const { buildDocument } = await import(pathToFileURL(inRoot('dist/openapi/build-document.js')).href);
  writeFileSync(inRoot('dist/assets/openapi.json'), JSON.stringify(buildDocument()));
}

/** The program behind `npm start`. */
export const buildStart = () => built('start', ['packages'], () => bundle('start', START));

/**
 * Tests, benchmarks and commands, by their paths with dots: `dist/tools/test.contract.contract.test.js`.
 * @param {keyof typeof GRAPHS} graph
 */
export const buildTools = (graph) =>
  built(graph, [...new Set([...GRAPHS.tools, ...GRAPHS[graph], 'scripts'])], async () => {
    const files = GRAPHS[graph].flatMap((folder) => filesBelow(folder));
    const tools = files.filter((file) => TOOLS.test(file));
    const programs = Object.fromEntries(tools.map((file) => [programName(file), file]));
    await bundle(graph, { ...programs, ...THREADS });
  });

/** The web application, with compressed copies beside its files, and the client for customers to install. */
export const buildDashboard = () =>
  built('dashboard', [DASHBOARD, 'packages/contracts', 'packages/sdk', 'clients'], async () => {
    const vite = inRoot(DASHBOARD, 'node_modules/vite/bin/vite.js');
    await run(process.execPath, [vite, 'build', inRoot(DASHBOARD)], {
      log: logOf('dashboard'),
      sentence: 'The dashboard could not be built.',
      env: { ...process.env, NODE_ENV: 'production' },
    });
    await compressFiles(inRoot('dist/assets/dashboard'));
    const { packSdk } = await import('./build-sdk.mjs');
    await packSdk(inRoot('dist/assets/dashboard/sdk'));
  });

/** @param {string} name @param {string[]} folders whose files decide the result @param {() => Promise<void>} work */
function built(name, folders, work) {
  const sources = folders.flatMap((folder) => filesBelow(folder));
  const result = name === 'dashboard' ? 'dist/assets/dashboard/index.html' : `dist/${name}`;
  return once(name, { files: [...sources, 'pnpm-lock.yaml', ...filesBelow('scripts/lib')], result }, work);
}

/** @param {string} folder @returns {string[]} every file below that is not installed or built, from the checkout */
function filesBelow(folder) {
  return readdirSync(inRoot(folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file) : [file];
    })
    .sort();
}
