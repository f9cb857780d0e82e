// `npm run -s sbom > verdict.cdx.json`: everything that the images and the client package are made of, as CycloneDX. With
// `--licences`, a table of the licences instead; it ends with 1 when one of them was never looked at.
import { readFileSync } from 'node:fs';
import { buildDashboard } from './lib/build.mjs';
import { install, pnpmOutput } from './lib/install.mjs';
import { orSay } from './lib/launch.mjs';
import { inRoot } from './lib/paths.mjs';

/** The shipped parts. Tests, benchmarks and the local stack are not. */
const SHIPPED = ['gateway', 'scoring', 'worker', 'control-plane', 'operator-cli', 'sdk'];

/** Licences that were read: they let us ship, and ask for no more than to be named. */
const ACCEPTED = new Set([
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '(WTFPL OR MIT)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
]);

await orSay(async () => {
  await install('all', () => undefined);
  await buildDashboard();
  const components = await shippedComponents();
  if (process.argv.includes('--licences')) tellLicences(components);
  else process.stdout.write(`${JSON.stringify(document(components), null, 2)}\n`);
});

/** @returns {Promise<{ name: string, version: string, licence: string, integrity: string | undefined }[]>} */
async function shippedComponents() {
  const filters = SHIPPED.flatMap((name) => ['--filter-prod', `@verdict/${name}...`]);
  const listed = JSON.parse(await pnpmOutput([...filters, 'licenses', 'list', '--prod', '--json']));
  const integrities = readIntegrities();
  const installed = Object.entries(listed).flatMap(([licence, packages]) =>
    packages.flatMap(({ name, versions }) => versions.map((version) => ({ name, version, licence }))),
  );
  const all = new Map(
    [...installed, ...bundledComponents()].map((one) => [`${one.name}@${one.version}`, one]),
  );
  return [...all]
    .map(([id, one]) => ({ ...one, integrity: integrities.get(id) }))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** The packages that Vite put into the dashboard by its own account, and the font, which is not a script. */
function bundledComponents() {
  const scripts = readJson('dist/assets/dashboard/.vite/licences.json');
  const font = readJson('services/dashboard/node_modules/@fontsource-variable/inter/package.json');
  return [...scripts, { ...font, identifier: font.license }].map(({ name, version, identifier }) => ({
    name,
    version,
    licence: identifier,
  }));
}

/** The registry's hash of each tarball. @returns {Map<string, string>} */
function readIntegrities() {
  const lockfile = readFileSync(inRoot('pnpm-lock.yaml'), 'utf8');
  const entries = lockfile.matchAll(
    /^ {2}'?([^\s'(]+@[^\s':(]+)'?:\n {4}resolution: \{integrity: ([^,}]+)/gm,
  );
  return new Map([...entries].map(([, id, integrity]) => [id, integrity]));
}

function document(components) {
  const { version } = readJson('package.json');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'verdict', version, licenses: [{ license: { id: 'MIT' } }] },
    },
    components: components.map(({ name, version, licence, integrity }) => ({
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      licenses: [licence.startsWith('(') ? { expression: licence } : { license: { id: licence } }],
      ...(integrity && { hashes: [hashOf(integrity)] }),
    })),
  };
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashOf(integrity) {
  const [algorithm, digest] = integrity.split(/-(.*)/s);
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}

function tellLicences(components) {
  const licences = components.map(({ licence }) => licence);
  for (const licence of [...new Set(licences)].sort()) {
    const count = licences.filter((one) => one === licence).length;
    process.stdout.write(`${String(count).padStart(4)}  ${licence}\n`);
  }
  const unread = components.filter(({ licence }) => !ACCEPTED.has(licence));
  for (const { name, version, licence } of unread) {
    process.stderr.write(`${name}@${version}: ${licence} was never looked at\n`);
  }
  if (unread.length > 0) process.exitCode = 1;
}

/** @param {string} file from the checkout */
function readJson(file) {
  return JSON.parse(readFileSync(inRoot(file), 'utf8'));
}
