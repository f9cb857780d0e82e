import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
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

t.test('a list in a zip archive is read; a broken archive leaves the source as it was', async (t) => {
  const zipped = urlSource('zipped', `${registry.url}/list.zip`, {
    read: { format: 'lines', archive: 'zip', file: 'top.csv' },
  });
  const { options } = makeSmallWorld(t, [zipped]);
  const list = Buffer.from([...names(), 'from-zip.com'].join('\n'));
  const good = zip({ 'readme.txt': Buffer.from('see top.csv'), 'top.csv': list });
  const damaged = Buffer.from(good);
  damaged.fill(255, 80, 120);
  const cases: [string, Buffer, RegExp][] = [
    ['no archive', Buffer.from('<html>'), /not a zip archive/],
    ['half an archive', good.subarray(0, good.length >> 1), /not a zip archive/],
    ['a damaged file', damaged, /./],
    ['another file', zip({ 'other.csv': list }), /holds no top\.csv/],
    ['a bomb', zip({ 'top.csv': Buffer.alloc(30_000_000) }), /larger than/],
  ];
  for (const [name, archive, reason] of cases) {
    registry.serve('/list.zip', archive);
    t.match(await updateDatasets(options), { sources: [{ result: 'failed', reason }] }, name);
  }
  registry.serve('/list.zip', good);
  t.match(await updateDatasets(options), { outcome: 'published', sources: [{ entries: 501 }] });
  registry.serve('/list.zip', zip({ 'top.csv': list }, 'stored'));
  t.match(await updateDatasets(options), { sources: [{ result: 'changed', entries: 501 }] }, 'not packed');
});

/** An archive as zip programs write them. */
function zip(files: Readonly<Record<string, Buffer>>, method: 'deflated' | 'stored' = 'deflated'): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  for (const [name, content] of Object.entries(files)) {
    const packed = method === 'stored' ? content : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method === 'stored' ? 0 : 8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(Buffer.concat(locals).length, 42);
    locals.push(local, Buffer.from(name), packed);
    entries.push(entry, Buffer.from(name));
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(entries).length, 12);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  return Buffer.concat([...locals, ...entries, end]);
}

/** The files that `npm publish` leaves in a registry. The document names the public registry, as mirrors pass it on. */
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
