import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatasetsSchema } from '@verdict/contracts/datasets.js';
import fc from 'fast-check';
import t from 'tap';
import { Value } from 'typebox/value';
import { buildDatasets } from '../src/build/build-datasets.js';
import { mergeDisposable } from '../src/build/merge-disposable.js';
import { readInstalled } from '../src/build/read-installed.js';
import { refuseNeverListed } from '../src/build/refuse-never-listed.js';
import { createDomainTable, loadDomainTable } from '../src/domain-table.js';
import { CRAWLED, CURATED, MAILCHECKER } from '../src/evidence.js';
import { loadDatasets } from '../src/load-datasets.js';
import { parseManifest } from '../src/manifest.js';
import { neverDisposable } from '../src/never-disposable.js';
import { LISTS_DIR, SHIPPED_DIR } from '../src/shipped.js';
import { readSources } from '../src/sources/read-sources.js';

t.test('the committed artefact is what the pinned packages give, byte for byte', async (t) => {
  const sources = readSources(LISTS_DIR);
  const files = buildDatasets({ listsDir: LISTS_DIR, sources, parts: readInstalled(sources) });
  for (const [file, text] of files) t.ok(readFileSync(join(SHIPPED_DIR, file), 'utf8') === text, file);
  const manifest = parseManifest(files.get('manifest.json') ?? '');
  for (const { file, sha256 } of Object.values(manifest.datasets)) {
    t.equal(
      createHash('sha256')
        .update(readFileSync(join(SHIPPED_DIR, file)))
        .digest('hex'),
      sha256,
      file,
    );
  }
  t.ok(
    statSync(join(SHIPPED_DIR, 'disposable-domains.txt')).size < 4_000_000,
    'small enough to live in the repository',
  );
});

t.test('the full data loads: 150,000 names and more, no real provider among them', async (t) => {
  const snapshot = await loadDatasets(SHIPPED_DIR);
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

t.test('a table is loaded in slices, and whoever waits has a turn between them', async (t) => {
  const lines = 50_000;
  const bytes = Buffer.from(Array.from({ length: lines }, (_, index) => `trash-${index}.com 4\n`).join(''));
  let turns = 0;
  let loading = true;
  const count = () => {
    turns++;
    if (loading) setImmediate(count);
  };
  setImmediate(count);
  const table = await loadDomainTable(bytes);
  loading = false;
  t.ok(turns >= 15, `${turns} turns`);
  t.equal(table.find('x.trash-49999.com')?.name, 'trash-49999.com');
  await t.rejects(loadDomainTable(Buffer.from('a.com\n')), /malformed/);
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

t.test('bits of sources become tiers of trust, and each listing names its sources', async (t) => {
  const table = createDomainTable(Buffer.from('b.com 11\na.b.com 4 3\n'), [CURATED, CURATED, CRAWLED, 8, 8]);
  t.same(table.find('x.a.b.com'), {
    name: 'a.b.com',
    evidence: CURATED | CRAWLED | MAILCHECKER,
    operator: 3,
  });
  t.same(table.listings('x.a.b.com'), [
    { name: 'a.b.com', sources: 4 },
    { name: 'b.com', sources: 17 },
  ]);
  t.throws(
    () => createDomainTable(Buffer.from('a.com 2\n'), [CURATED]),
    /malformed/,
    'a bit without a source',
  );
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
