import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { type Manifest, parseManifest } from '@verdict/datasets/manifest.js';
import { folderOrigin } from '@verdict/datasets/releases/dataset-origin.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import t, { type Test } from 'tap';
import { createDatasetStore, type DatasetStore } from '../src/datasets/dataset-store.js';
import { watchDatasets } from '../src/datasets/watch-datasets.js';
import { startScoring } from './support/scoring-service.js';

/** Names enough for rules about shares, few enough to load in no time. */
const SMALL = 1000;

t.test('a bad folder is refused with its reason and the old data stays', async (t) => {
  const cases: [string, (folder: string) => void, RegExp][] = [
    [
      'a file that is not the one in the manifest',
      (folder) => {
        writeFileSync(join(folder, 'relays.txt'), 'x.com\n');
        edit(folder, (manifest) => ({ ...manifest, operators: [] }));
      },
      /hash/,
    ],
    ['a manifest that is not JSON', (folder) => writeFileSync(join(folder, 'manifest.json'), '{'), /JSON/],
    [
      'a manifest of another form',
      (folder) => edit(folder, (manifest) => ({ ...manifest, schema: 1 })),
      /manifest/,
    ],
    [
      'a count that is not true',
      (folder) => edit(folder, (m) => changed(m, 'relays', { count: 1 })),
      /entries/,
    ],
    [
      'a real provider',
      (folder) => replaceDisposable(folder, (text) => `${text}gmail.com 4\n`),
      /never-list/,
    ],
    [
      'the parent of a real provider',
      (folder) => replaceDisposable(folder, (text) => `${text}appleid.com 4\n`),
      /never-list/,
    ],
    [
      'a public suffix',
      (folder) => replaceDisposable(folder, (text) => `${text}duckdns.org 4\n`),
      /public suffix/,
    ],
    [
      'a line that is no host name',
      (folder) => replaceDisposable(folder, (text) => `${text}UPPER.com 4\n`),
      /host name/,
    ],
    ['a list that lost a quarter', (folder) => replaceDisposable(folder, dropAQuarter), /more than 20 %/],
  ];
  for (const [name, spoil, message] of cases) {
    const folder = copyData(t, SMALL);
    const store = await storeOf(folder);
    const before = store.current();
    spoil(folder);
    const result = await store.reload();
    t.equal(result.kind, 'refused', name);
    t.match(result.kind === 'refused' ? result.message : '', message, name);
    t.equal(store.current(), before, 'the old data stays');
  }
});

t.test('the watch exchanges good data by itself and reports a refusal once', async (t) => {
  const folder = copyData(t, SMALL);
  const store = await storeOf(folder);
  const results: string[] = [];
  const errors: unknown[] = [];
  const seen = deferred();
  const watch = watchDatasets({
    directory: folder,
    store,
    pollMs: 20,
    log: Object.assign(createLogger('test', 'silent'), { error: (fields: unknown) => errors.push(fields) }),
    onResult(result) {
      results.push(result.kind);
      if (result.kind === 'swapped') seen.resolve();
    },
  });
  t.teardown(() => watch.close());
  t.equal((await watch.look()).kind, 'unchanged');
  const good = readFileSync(join(folder, 'manifest.json'));
  writeFileSync(join(folder, 'manifest.json'), '{');
  t.equal((await watch.look()).kind, 'refused');
  t.equal((await watch.look()).kind, 'refused');
  t.equal(errors.length, 1, 'loud, but not at every look');
  writeFileSync(join(folder, 'manifest.json'), good);
  addTrash(folder);
  await seen.promise;
  t.ok(store.current().disposable.has('brand-new-trash.com'));
});

t.test('a swap under load fails no request, and every stream tells which data judged it', async (t) => {
  const folder = copyData(t);
  const dns = await startDnsServer({
    'canary.net': { mx: [[1, 'mx.canary.net']] },
    'brand-new-trash.com': { mx: [[1, 'mx.brand-new-trash.com']] },
  });
  const scoring = await startScoring({
    DATASETS_DIR: folder,
    DATASETS_POLL_MS: '600000',
    DNS_SERVERS: dns.address,
    DNS_CANARY: 'canary.net',
  });
  t.teardown(async () => {
    await scoring.close();
    await dns.close();
  });
  let swapping = true;
  const tally = { requests: 0, judgedOld: 0, judgedNew: 0, mixed: 0 };
  const oldCount = scoring.deps.datasets.current().disposable.size;
  const client = async () => {
    for (let after = 0; swapping || after < 5; after += swapping ? 0 : 1) {
      const { header, lines } = await scoring.score(
        'a@brand-new-trash.com',
        'b@gmail.com',
        'c@brand-new-trash.com',
      );
      tally.requests++;
      const isNew = header.datasets.disposable_domains.count !== oldCount;
      tally[isNew ? 'judgedNew' : 'judgedOld']++;
      const verdicts = [lines[0], lines[2]].map((line) => line?.signals.disposable_email);
      if (lines.length !== 3 || verdicts.some((disposable) => disposable !== isNew)) tally.mixed++;
    }
  };
  const clients = Array.from({ length: 4 }, client);
  addTrash(folder);
  const result = await scoring.deps.datasetWatch.look();
  swapping = false;
  await Promise.all(clients);
  t.equal(result.kind, 'swapped');
  t.equal(
    tally.mixed,
    0,
    `${tally.requests} requests: ${tally.judgedOld} by the old data, ${tally.judgedNew} by the new`,
  );
  t.ok(tally.judgedOld > 0 && tally.judgedNew > 0);
  const status = (await (await fetch(`${scoring.url}/internal/datasets`)).json()) as unknown;
  t.same(status, scoring.deps.datasets.current().versions);
});

async function storeOf(folder: string): Promise<DatasetStore> {
  return createDatasetStore(await loadDatasets(folder), folderOrigin(folder));
}

function copyData(t: Test, namesMax = Number.POSITIVE_INFINITY): string {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-data-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(SHIPPED_DIR, folder, { recursive: true });
  if (namesMax !== Number.POSITIVE_INFINITY) {
    replaceDisposable(folder, (text) => `${text.split('\n').slice(0, namesMax).join('\n')}\n`);
  }
  return folder;
}

function addTrash(folder: string): void {
  replaceDisposable(folder, (text) => `${text}brand-new-trash.com 1\n`);
}

function dropAQuarter(text: string): string {
  return text
    .split('\n')
    .filter((line, index) => line === '' || index % 4 !== 0)
    .join('\n');
}

/** Writes another list and a manifest that vouches for it. */
function replaceDisposable(folder: string, change: (text: string) => string): void {
  const path = join(folder, 'disposable-domains.txt');
  const text = change(readFileSync(path, 'utf8'));
  writeFileSync(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  edit(folder, (manifest) =>
    changed(manifest, 'disposable_domains', { sha256, count: text.split('\n').length - 1 }),
  );
}

function changed(manifest: Manifest, name: keyof Manifest['datasets'], change: object): Manifest {
  return {
    ...manifest,
    datasets: { ...manifest.datasets, [name]: { ...manifest.datasets[name], ...change } },
  };
}

function edit(folder: string, change: (manifest: Manifest) => unknown): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(path, JSON.stringify(change(parseManifest(readFileSync(path, 'utf8')))));
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
