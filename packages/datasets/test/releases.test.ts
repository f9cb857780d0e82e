import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadDatasets } from '../src/load-datasets.js';
import { currentRelease, findRelease, nextReleaseId } from '../src/releases/release-index.js';
import { folderPlace } from '../src/releases/release-place.js';
import { createReleaseReader } from '../src/releases/release-reader.js';
import { makeSigningKeys, readPublicKeys, readSigningKey } from '../src/releases/signature.js';
import { urlPlace } from '../src/releases/url-place.js';
import { LISTS_DIR } from '../src/shipped.js';
import { readSources } from '../src/sources/read-sources.js';
import { isListed } from '../src/sources/source.js';
import { updateDatasets } from '../src/update/update-datasets.js';
import { startListServer } from './support/list-server.js';
import { asLines, makeSmallWorld, names, urlSource } from './support/small-world.js';

const server = await startListServer();
t.teardown(() => server.close());
const limits = { deadlineMs: 60_000, bytesMax: 8 * 1024 * 1024 };

t.test('a release is believed by the signature of the operator, from a folder and over HTTP', async (t) => {
  const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/list.txt`)]);
  const { privateKey, publicKey } = makeSigningKeys();
  const keys = readPublicKeys(publicKey);
  server.serve('/list.txt', asLines([...names(), 'signed.com']));
  await updateDatasets({ ...options, signingKey: readSigningKey(privateKey) });
  for (const file of ['index.json', ...releaseFiles(directory)])
    server.serve(`/releases-here/${file}`, readFileSync(join(directory, file)));

  for (const place of [folderPlace(directory), urlPlace(`${server.url}/releases-here`, limits)]) {
    const reader = createReleaseReader(place, keys);
    const index = await reader.index();
    const data = index && (await loadDatasets(reader.open(currentRelease(index))));
    t.ok(data?.disposable.has('signed.com'), place.name);
    const stranger = createReleaseReader(place, readPublicKeys(makeSigningKeys().publicKey));
    await t.rejects(stranger.index(), /not signed by the key/);
    const rotating = createReleaseReader(
      place,
      readPublicKeys(`${makeSigningKeys().publicKey},${publicKey}`),
    );
    t.ok(await rotating.index(), 'either of two keys will do');
  }

  const sealed = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8')) as { index: string };
  const spoil = (change: object) =>
    writeFileSync(join(directory, 'index.json'), JSON.stringify({ ...sealed, ...change }));
  const read = () => createReleaseReader(folderPlace(directory), keys).index();
  spoil({ signature: null });
  await t.rejects(read(), /not signed, and DATASETS_PUBLIC_KEY asks/);
  spoil({ index: sealed.index.replace('"current":"2', '"current": "2') });
  await t.rejects(read(), /not signed by the key/, 'a single space is too much');
});

t.test('an index older than one that was seen is not believed, and a changed file is noticed', async (t) => {
  const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/list.txt`)]);
  const path = join(directory, 'index.json');
  const reader = createReleaseReader(folderPlace(directory), []);
  server.serve('/list.txt', asLines([...names(), 'one.com']));
  await updateDatasets({ ...options, now: () => new Date('2026-11-01') });
  const old = readFileSync(path);
  server.serve('/list.txt', asLines([...names(), 'two.com']));
  await updateDatasets({ ...options, now: () => new Date('2026-11-02') });
  t.equal((await reader.index())?.current, '2026-11-02');
  const fresh = readFileSync(path);
  writeFileSync(path, old);
  await t.rejects(reader.index(), /older than one that was seen/);
  writeFileSync(path, fresh);
  const index = await reader.index();
  if (index === undefined) throw new Error('no index');
  const release = currentRelease(index);
  const folder = join(directory, 'releases', '2026-11-02');
  const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
  writeFileSync(join(folder, 'manifest.json'), manifest.replace('2026-11-02', '2026-11-03'));
  await t.rejects(loadDatasets(reader.open(release)), /hash of the manifest/);
  writeFileSync(join(folder, 'manifest.json'), manifest);
  writeFileSync(join(folder, 'relays.txt'), 'evil.com\n');
  await t.rejects(loadDatasets(reader.open(release)), /hash is not the one in the manifest/);
});

t.test('a release is found by its id or by a day on which it was the newest', async (t) => {
  const releases = ['2026-11-05', '2026-11-03.2', '2026-11-03', '2026-11-01'].map((id) => ({
    id,
    published_at: '',
    manifest_sha256: '',
  }));
  const id = (wanted: string) => findRelease(releases, wanted)?.id;
  t.equal(id('2026-11-03'), '2026-11-03');
  t.equal(id('2026-11-03.2'), '2026-11-03.2');
  t.equal(id('2026-11-04'), '2026-11-03.2');
  t.equal(id('2026-12-24'), '2026-11-05');
  t.equal(id('2026-10-31'), undefined);
  t.equal(nextReleaseId(releases, '2026-11-03'), '2026-11-03.3');
  t.equal(nextReleaseId(releases, '2026-11-06'), '2026-11-06');
});

t.test('the table of sources is whole, and a site’s own file is laid over it', async (t) => {
  const shipped = readSources(LISTS_DIR).filter(isListed);
  t.ok(
    shipped.every(({ licence }) => /^(CC0|MIT|ISC|BSD)/.test(licence)),
    'only licences that allow it',
  );
  const disposable = shipped.filter(({ feeds }) => feeds === 'disposable_domains');
  t.same(
    disposable.flatMap(({ kind, supersedes }) => (kind === 'url' ? (supersedes ?? []) : [])).sort(),
    disposable.flatMap(({ kind, name }) => (kind === 'npm' ? name : [])).sort(),
    'each packaged list has one of the day that takes its place',
  );
  const folder = t.testdir({
    'own.json': JSON.stringify({
      disposable_domains: {
        fakefilter: { registry: 'https://npm.corp.example/' },
        mailchecker: { enabled: false },
        ours: {
          kind: 'file',
          from: '/lists/ours.txt',
          tier: 'curated',
          licence: 'own',
          read: { format: 'lines' },
        },
      },
    }),
    'bad.json': JSON.stringify({ disposable_domains: { ours: { kind: 'ftp' } } }),
    'tierless.json': JSON.stringify({
      disposable_domains: { ours: { kind: 'file', from: '/x', licence: 'own', read: { format: 'lines' } } },
    }),
  });
  const own = readSources(LISTS_DIR, join(folder, 'own.json')).filter(isListed);
  t.match(
    own.find(({ name }) => name === 'fakefilter'),
    { registry: 'https://npm.corp.example/', tier: 'crawled', kind: 'npm' },
  );
  t.equal(
    own.some(({ name }) => name === 'mailchecker'),
    false,
  );
  t.equal(own.length, shipped.length);
  t.throws(() => readSources(LISTS_DIR, join(folder, 'bad.json')), /bad\.json/);
  t.throws(() => readSources(LISTS_DIR, join(folder, 'tierless.json')), /needs a tier/);
});

function releaseFiles(directory: string): string[] {
  const { index } = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8')) as { index: string };
  const { current } = JSON.parse(index) as { current: string };
  return [
    'manifest.json',
    'disposable-domains.txt',
    'disposable-mail-addresses.txt',
    'disposable-mail-hosts.txt',
    'free-providers.txt',
    'known-mail.txt',
    'relays.txt',
    'risky-endings.txt',
    'role-prefixes.txt',
    'sms-gateways.txt',
  ].map((file) => `releases/${current}/${file}`);
}
