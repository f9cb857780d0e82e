// `npm run build`: the bundles, their assets and the dashboard in `dist`. With `-- --images FOLDER` also what goes into each
// image: its program with the chunks that it loads, the assets, and the packages that cannot be bundled.
import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
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
  const { dependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    if (![...loaded].some((file) => `${file}/`.startsWith(`${name}/`))) continue;
    // pnpm lays a package beside the packages that it depends on, those of this processor included.
    const beside = realpathSync(inRoot('node_modules', name)).slice(0, -name.length);
    cpSync(beside, path.join(folder, 'node_modules'), { recursive: true, dereference: true });
  }
}
