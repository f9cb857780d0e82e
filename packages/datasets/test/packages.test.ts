import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ListedSource } from '../src/sources/source.js';
import { updateDatasets } from '../src/update/update-datasets.js';
import { startListServer } from './support/list-server.js';
import { makeSmallWorld, names, urlSource } from './support/small-world.js';

const registry = await startListServer();
t.teardown(() => registry.close());

const source: ListedSource = urlSource('trash-list', 'trash-list', {
  kind: 'npm',
  version: '1.0.0',
  read: { format: 'json', file: 'data/list.json' },
});

t.test(
  'the newest version of a package is read, verified and published; the same version is not fetched',
  async (t) => {
    publish('1.1.0', [...names(), 'from-npm.com']);
    const { options } = makeSmallWorld(t, [source]);
    const update = () => updateDatasets({ ...options, registry: registry.url });
    t.match(await update(), { outcome: 'published', sources: [{ result: 'changed', entries: 501 }] });
    const before = registry.requests.length;
    t.match(await update(), { outcome: 'unchanged', sources: [{ result: 'unchanged' }] });
    t.equal(registry.requests.length, before + 1, 'the package itself was not asked for');
    publish('1.2.0', [...names(), 'newer.com']);
    t.match(await update(), { outcome: 'published' });
  },
);

t.test('a package that is not what the registry vouches for is refused', async (t) => {
  const { options } = makeSmallWorld(t, [source]);
  const update = () => updateDatasets({ ...options, registry: registry.url });
  const cases: [string, () => void, RegExp][] = [
    [
      'another file',
      () => publish('2.0.0', names(), { tamper: true }),
      /not the one that the registry vouches for/,
    ],
    ['only a sha1', () => publish('2.0.0', names(), { integrity: 'sha1-AAAA' }), /with no sha512/],
    [
      'a package without the list',
      () => publish('2.0.0', names(), { path: 'package/other.json' }),
      /holds no data\/list\.json/,
    ],
    ['no newest version', () => registry.serve('/trash-list', '{}'), /names no newest version/],
    ['a bomb', () => publish('2.0.0', [`${'a'.repeat(30_000_000)}.com`]), /./],
  ];
  for (const [name, prepare, reason] of cases) {
    prepare();
    t.match(await update(), { outcome: 'unchanged', sources: [{ result: 'failed', reason }] }, name);
  }
});

/** What `npm publish` would leave in a registry. The document names the public registry, as mirrors hand it on. */
function publish(
  version: string,
  list: readonly string[],
  { tamper = false, integrity = '', path = 'package/data/list.json' } = {},
): void {
  const archive = gzipSync(tar(path, Buffer.from(JSON.stringify(list))));
  const sha512 = createHash('sha512').update(archive).digest('base64');
  const file = `trash-list/-/trash-list-${version}.tgz`;
  registry.serve(`/${file}`, tamper ? Buffer.concat([archive, Buffer.from('!')]) : archive);
  const dist = { tarball: `https://registry.npmjs.org/${file}`, integrity: integrity || `sha512-${sha512}` };
  registry.serve(
    '/trash-list',
    JSON.stringify({ 'dist-tags': { latest: version }, versions: { [version]: { dist } } }),
  );
}

function tar(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
  header.write('0', 156);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding, Buffer.alloc(1024)]);
}
