// `npm run build`: the bundles, their assets and the dashboard in `dist`. With `-- --images FOLDER` also what goes into each
// image: its program with the chunks that it loads, the assets, and the packages that cannot be bundled.
import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboard, buildServices } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { orSay } from './lib/launch.mjs';
import { inRoot } from './lib/paths.mjs';

const { values } = parseArgs({ options: { images: { type: 'string' } } });

/** The programs of each image, and the assets that they read. */
const IMAGES = {
  gateway: { programs: ['gateway'], assets: [] },
  scoring: { programs: ['scoring'], assets: ['datasets'] },
  worker: {
    programs: ['worker', 'update-thread'],
    assets: ['datasets', 'fonts', 'migrations', 'queue-page'],
  },
  'control-plane': {
    programs: ['control-plane', 'seed'],
    assets: ['dashboard', 'datasets', 'fonts', 'migrations'],
  },
  operator: {
    programs: ['verdict', 'update-thread'],
    assets: ['datasets', 'definitions', 'fonts', 'migrations'],
  },
};

await orSay(async () => {
  await install('start', () => undefined);
  await Promise.all([buildServices(), buildDashboard()]);
  if (values.images)
    for (const [image, parts] of Object.entries(IMAGES)) layOut(path.join(values.images, image), parts);
});

/** @param {string} folder @param {{ programs: string[], assets: string[] }} parts */
function layOut(folder, { programs, assets }) {
  const imports = JSON.parse(readFileSync(inRoot('dist/services/imports.json'), 'utf8'));
  const loaded = new Set(programs.map((name) => `${name}.js`));
  for (const file of loaded) for (const next of imports[file] ?? []) loaded.add(next);
  const services = path.join(folder, 'dist/services');
  for (const file of [...loaded].filter((name) => name in imports)) {
    for (const name of [file, `${file}.map`].filter((one) => existsSync(inRoot('dist/services', one)))) {
      cpSync(inRoot('dist/services', name), path.join(services, name));
    }
  }
  writeFileSync(path.join(services, 'main.js'), `import './${programs[0]}.js';\n`);
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const name of assets) {
    cpSync(inRoot('dist/assets', name), path.join(folder, 'dist/assets', name), { recursive: true });
  }
  const { dependencies } = readManifest(inRoot());
  for (const name of Object.keys(dependencies)) {
    if ([...loaded].some((file) => `${file}/`.startsWith(`${name}/`))) copyPackage(name, inRoot(), folder);
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/** Copies an installed package and what it depends on into an image, one by one: Node 24 copies links inside a folder as links. @param {string} name @param {string} from who needs it @param {string} folder */
function copyPackage(name, from, folder) {
  const found = createRequire(path.join(from, 'package.json'))
    .resolve.paths(name)
    .map((modules) => path.join(modules, name))
    .find((candidate) => existsSync(candidate));
  // Optional parts for other processors are not installed.
  if (!found) return;
  const source = realpathSync(found);
  cpSync(source, path.join(folder, 'node_modules', name), { recursive: true });
  const { dependencies = {}, optionalDependencies = {} } = readManifest(source);
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
    copyPackage(next, source, folder);
}
