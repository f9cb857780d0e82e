import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatasetsSchema } from '@verdict/contracts/datasets.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { Value } from 'typebox/value';
import { createDatasetStore } from '../src/datasets/dataset-store.js';
import { createDomainTable } from '../src/datasets/domain-table.js';
import { CRAWLED, CURATED, MAILCHECKER } from '../src/datasets/evidence.js';
import { loadDatasets } from '../src/datasets/load-datasets.js';
import { type Manifest, parseManifest } from '../src/datasets/manifest.js';
import { neverDisposable } from '../src/datasets/never-disposable.js';
import { watchDatasets } from '../src/datasets/watch-datasets.js';
import { buildDatasets } from '../tools/build-datasets/build-datasets.js';
import { mergeDisposable } from '../tools/build-datasets/merge-disposable.js';
import { refuseNeverListed } from '../tools/build-datasets/refuse-never-listed.js';
import { startScoring } from './support/scoring-service.js';

// dist/test/datasets.test.js
const packageDir = fileURLToPath(new URL('../../', import.meta.url));
const dataDir = join(packageDir, 'data');

t.test('the committed artefact is what the pinned packages give, byte for byte', async (t) => {
  const files = buildDatasets(join(packageDir, 'datasets'));
  for (const [file, text] of files) t.ok(readFileSync(join(dataDir, file), 'utf8') === text, file);
  const manifest = parseManifest(files.get('manifest.json') ?? '');
  for (const { file, sha256 } of Object.values(manifest.datasets)) {
    t.equal(
      createHash('sha256')
        .update(readFileSync(join(dataDir, file)))
        .digest('hex'),
      sha256,
      file,
    );
  }
  t.ok(
    statSync(join(dataDir, 'disposable-domains.txt')).size < 4_000_000,
    'small enough to live in the repository',
  );
});

t.test('the full data loads: 150,000 names and more, no real provider among them', async (t) => {
  const snapshot = await loadDatasets(dataDir);
  t.ok(Value.Check(DatasetsSchema, snapshot.versions));
  t.ok(snapshot.disposable.size >= 150_000, `${snapshot.disposable.size} names`);
  for (const name of [...neverDisposable, ...snapshot.knownMail, ...snapshot.relays]) {
    if (snapshot.disposable.find(name) !== undefined) t.fail(name);
  }
  t.ok(neverDisposable.length >= 100);
  t.equal(snapshot.freeProviders.has('mailinator.com'), false, 'a disposable service is not a free provider');
  for (const name of snapshot.freeProviders) {
    if (snapshot.disposable.find(name) !== undefined) t.fail(`${name} is both free and disposable`);
  }
});

t.test('the table finds names and parents exactly as a Set would', async () => {
  const label = fc.string({ unit: fc.constantFrom(...'abc-1'), minLength: 1, maxLength: 3 });
  const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 40 }), fc.array(name), (names, questions) => {
      const table = createDomainTable(Buffer.from(names.map((each) => `${each} 4\n`).join('')));
      const set = new Set(names);
      return [...names, ...questions].every((question) => {
        const labels = question.split('.');
        const first = labels
          .map((_, index) => labels.slice(index).join('.'))
          .find((parent) => set.has(parent));
        return table.find(question)?.name === first && table.has(question) === set.has(question);
      });
    }),
  );
});

t.test('evidence of a name and its parents counts together, and malformed lines are refused', async (t) => {
  const table = createDomainTable(Buffer.from('b.com 1 7\na.b.com 8\n'));
  t.same(table.find('x.a.b.com'), { name: 'a.b.com', evidence: 9, operator: 7 });
  t.equal(table.find('com'), undefined);
  for (const text of [
    'a.com\n',
    'a.com 4',
    'a.com g\n',
    'a.com 4x\n',
    'a.com 4 \n',
    ' 4\n',
    'a.com 4 70000\n',
  ]) {
    t.throws(() => createDomainTable(Buffer.from(text)), /malformed/, JSON.stringify(text));
  }
});

t.test('merging subtracts what a disposable list should not hold', async (t) => {
  const { entries, notes } = mergeDisposable({
    lists: {
      curated: ['real-trash.com', 'münchen-trash.de'],
      crawled: new Map([['crawled.com', 'operator.com']]),
      aggregate: [
        'duckdns.org',
        'sub.duck.com',
        'gmail.com',
        'example.com',
        'small.io',
        'x.gov',
        'a.real-trash.com',
        'old-free.com',
      ],
      mailchecker: ['a.real-trash.com', 'not a name', 'small.io'],
    },
    relays: new Set(['duck.com']),
    knownMail: new Set(['gmail.com']),
    bigDomains: new Set(),
    placeholders: new Set(['example.com']),
    trustedSmall: new Set(['small.io']),
    freemail: new Set(['old-free.com']),
    restrictedSuffixes: new Set(['gov']),
  });
  t.same(
    [...entries].map(([name, { evidence }]) => [name, evidence]),
    [
      ['real-trash.com', CURATED],
      ['xn--mnchen-trash-dlb.de', CURATED],
      ['crawled.com', CRAWLED],
      ['a.real-trash.com', 4 | MAILCHECKER],
    ],
  );
  t.match(notes, { public_suffixes: 1, relays: 1, known_providers: 1, placeholders: 1, trusted_small: 1 });
  t.match(notes, { single_source_freemail: 1, restricted_suffixes: 1, malformed: 1 });
});

t.test('the build stops when a real provider, or the parent of one, is left in the result', async (t) => {
  t.throws(() => refuseNeverListed(new Map([['gmail.com', {}]]), []), /gmail\.com/);
  t.throws(() => refuseNeverListed(new Map([['appleid.com', {}]]), []), /privaterelay\.appleid\.com/);
  t.throws(() => refuseNeverListed(new Map([['my-relay.com', {}]]), ['my-relay.com']), /my-relay\.com/);
  t.doesNotThrow(() => refuseNeverListed(new Map([['trash.com', {}]]), []));
});

t.test('a bad folder is refused with its reason and the old data stays', async (t) => {
  const cases: [string, (folder: string) => void, RegExp][] = [
    [
      'a file changed behind the manifest',
      (folder) => writeFileSync(join(folder, 'relays.txt'), 'x.com\n'),
      /hash/,
    ],
    ['a manifest that is not JSON', (folder) => writeFileSync(join(folder, 'manifest.json'), '{'), /JSON/],
    [
      'a manifest of another form',
      (folder) => edit(folder, (manifest) => ({ ...manifest, schema: 2 })),
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
    const store = await createDatasetStore(folder);
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
  const store = await createDatasetStore(folder);
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
      const { answer, lines } = await scoring.score(
        'a@brand-new-trash.com',
        'b@gmail.com',
        'c@brand-new-trash.com',
      );
      tally.requests++;
      const isNew = answer[0]?.datasets.disposable_domains.count !== oldCount;
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

/** Names enough for rules about shares, few enough to load in no time. */
const SMALL = 1000;

function copyData(t: Test, namesMax = Number.POSITIVE_INFINITY): string {
  const folder = mkdtempSync(join(tmpdir(), 'verdict-data-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(dataDir, folder, { recursive: true });
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
