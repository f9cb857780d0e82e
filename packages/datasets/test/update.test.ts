import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { loadDatasets } from '../src/load-datasets.js';
import { currentRelease } from '../src/releases/release-index.js';
import { folderPlace } from '../src/releases/release-place.js';
import { createReleaseReader } from '../src/releases/release-reader.js';
import { rollBack } from '../src/update/roll-back.js';
import { updateDatasets } from '../src/update/update-datasets.js';
import { readState } from '../src/update/update-state.js';
import { type Answer, startListServer } from './support/list-server.js';
import { asLines, makeSmallWorld, names, urlSource } from './support/small-world.js';

const server = await startListServer();
t.teardown(() => server.close());

async function loadCurrent(directory: string) {
  const reader = createReleaseReader(folderPlace(directory), []);
  const index = await reader.index();
  return index === undefined ? undefined : loadDatasets(reader.open(currentRelease(index)));
}

const day = (date: string) => () => new Date(`${date}T03:00:00.000Z`);

t.test(
  'what a source adds is published, and a source that did not change is not fetched again',
  async (t) => {
    server.serve('/list.txt', asLines([...names(), 'brand-new-trash.com']));
    const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/list.txt`)]);
    const first = await updateDatasets({ ...options, now: day('2026-11-01') });
    t.match(first, {
      outcome: 'published',
      release: '2026-11-01',
      sources: [{ source: 'ours', result: 'changed' }],
    });
    const data = await loadCurrent(directory);
    t.ok(data?.disposable.has('brand-new-trash.com'));
    t.equal(data?.release, '2026-11-01');
    t.equal(data?.versions.disposable_domains.version, '2026-11-01', 'the day on which the list changed');
    t.equal(data?.versions.role_prefixes.version, '2026-01-01', 'what did not change keeps its version');

    const before = server.requests.length;
    const second = await updateDatasets({ ...options, now: day('2026-11-02') });
    t.match(second, { outcome: 'unchanged', release: null, sources: [{ result: 'unchanged' }] });
    t.match(
      server.requests.slice(before),
      [{ headers: { 'if-none-match': /"\d+"/ } }],
      'asked only for what changed',
    );
    t.equal((await readState(directory)).sources.ours?.good_at, '2026-11-02T03:00:00.000Z');

    server.serve('/list.txt', asLines([...names(), 'another.com']));
    t.match(await updateDatasets({ ...options, now: day('2026-11-02') }), { release: '2026-11-02' });
    server.serve('/list.txt', asLines(names()));
    t.match(await updateDatasets({ ...options, now: day('2026-11-02') }), { release: '2026-11-02.2' });
  },
);

/** A source that is too slow is cut off after this; whatever is not about time has all the time it needs. */
const SLOW = { deadline_ms: 500 };
/** A huge one is cut off here. */
const LARGE = { bytes_max: 131_072 };

const POISON: [string, string | Answer, RegExp, { deadline_ms?: number; bytes_max?: number }?][] = [
  ['gmail.com added', asLines([...names(), 'gmail.com']), /gmail\.com, which is on the never-list/],
  ['half the list gone', asLines(names(250)), /from 500 to 250 entries, more than 20 %/],
  ['ten times the size', asLines([...names(), ...names(4500, 'more')]), /from 500 to 5000 entries/],
  ['an empty answer', '\n', /holds no names/],
  ['a page instead of a list', `<html>${'<p>Sign in</p>\n'.repeat(500)}</html>`, /are not domains/],
  ['a list that never ends', (_, response) => drip(response), /took longer than 500 ms/, SLOW],
  ['no answer at all', () => {}, /took longer than 500 ms/, SLOW],
  ['a huge answer', 'x'.repeat(140_000), /larger than 131072 bytes/, LARGE],
  ['an error', (_, response) => void response.writeHead(500).end(), /answered 500/],
  [
    'a redirect to an internal address',
    (_, response) => redirect(response, 'http://169.254.169.254/latest'),
    /internal address 169\.254\.169\.254/,
  ],
  [
    'a redirect to loopback',
    (_, response) => redirect(response, 'http://[::ffff:127.0.0.1]:1/'),
    /internal address/,
  ],
  [
    'a redirect to a name that is internal',
    (_, response) => redirect(response, 'http://localhost:1/'),
    /internal address/,
  ],
  ['a redirect to a file', (_, response) => redirect(response, 'file:///etc/passwd'), /redirects/],
  ['redirects in a circle', (_, response) => redirect(response, '/poison.txt'), /redirects too often/],
];

for (const [name, poison, reason, limits] of POISON) {
  t.test(`${name}: that source is left as it was, and the others still come through`, async (t) => {
    server.serve('/poison.txt', asLines(names()));
    server.serve('/good.txt', asLines(names()));
    const sources = [
      urlSource('poisoned', `${server.url}/poison.txt`),
      urlSource('good', `${server.url}/good.txt`, { tier: 'mailchecker' }),
    ];
    const { options: first, directory } = makeSmallWorld(t, sources);
    await updateDatasets(first);
    const options = {
      ...first,
      sources: sources.map((one) => (one.name === 'good' ? one : { ...one, ...limits })),
    };

    server.serve('/poison.txt', poison);
    server.serve('/good.txt', asLines([...names(), 'fresh.com']));
    const report = await updateDatasets(options);
    t.equal(report.outcome, 'published');
    const [poisoned, good] = report.sources;
    t.match(poisoned, { source: 'poisoned', result: 'failed', reason, entries: 500 });
    t.match(good, { source: 'good', result: 'changed' });
    const data = await loadCurrent(directory);
    t.ok(data?.disposable.has('fresh.com'));
    t.equal(data?.disposable.size, 501, 'the last good part of the other is still in');
    const { sources: state } = await readState(directory);
    t.match(state.poisoned, { good_at: String, failure: { reason, since: String } }, 'for the metrics');
    t.equal(state.good?.failure, undefined);
  });
}

t.test('an operator who has looked may accept a sudden change', async (t) => {
  server.serve('/half.txt', asLines(names(250)));
  const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/half.txt`)]);
  t.match(await updateDatasets(options), { outcome: 'unchanged', sources: [{ result: 'failed' }] });
  t.match(await updateDatasets({ ...options, accept: ['ours'] }), {
    outcome: 'refused',
    reason: /disposable domains went from/,
  });
  t.match(await updateDatasets({ ...options, accept: ['all'] }), { outcome: 'published' });
  t.equal((await loadCurrent(directory))?.disposable.size, 250);
});

t.test(
  'a result that the labelled set speaks against is refused as a whole, and nothing of it is kept',
  async (t) => {
    server.serve('/subtle.txt', asLines([...names(), 'tudelft.nl']));
    const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/subtle.txt`)]);
    t.match(await updateDatasets(options), { outcome: 'refused', reason: /calls tudelft\.nl disposable/ });
    t.equal(await loadCurrent(directory), undefined, 'nothing was published');
    t.match((await readState(directory)).last, { outcome: 'refused' }, 'for the alert');
    server.serve('/subtle.txt', asLines([...names(), 'real-trash.com']));
    t.match(await updateDatasets(options), { outcome: 'published' });
    t.match((await readState(directory)).last, { outcome: 'published' }, 'the alert ends');
  },
);

t.test('lasting throw-away services may not disappear', async (t) => {
  const lasting = readFileSync(inRoot('packages/datasets/lists/labelled.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('disposable '))
    .map((line) => line.slice('disposable '.length));
  server.serve('/lasting.txt', asLines([...names(), ...lasting]));
  const { options } = makeSmallWorld(t, [urlSource('ours', `${server.url}/lasting.txt`)]);
  t.match(await updateDatasets({ ...options, accept: ['all'] }), { outcome: 'published' });
  server.serve('/lasting.txt', asLines([...names(), ...lasting.slice(20)]));
  t.match(await updateDatasets(options), { outcome: 'refused', reason: /lasting throw-away services/ });
});

t.test('going back holds the schedule until an operator resumes it', async (t) => {
  server.serve('/wrong.txt', asLines([...names(), 'first.com']));
  const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/wrong.txt`)]);
  await updateDatasets({ ...options, now: day('2026-11-01') });
  server.serve('/wrong.txt', asLines([...names(), 'a-customer.com']));
  await updateDatasets({ ...options, now: day('2026-11-02') });
  t.match(await rollBack(directory, undefined, undefined), { id: '2026-11-01' });
  t.equal((await loadCurrent(directory))?.disposable.has('a-customer.com'), false);
  t.match(await updateDatasets(options), { outcome: 'held', reason: /an older release was asked for/ });
  t.match(await updateDatasets({ ...options, resume: true }), { outcome: 'published' });
  t.equal((await loadCurrent(directory))?.disposable.has('a-customer.com'), true);
  await t.rejects(rollBack(directory, '2026-10-01', undefined), /there is no 2026-10-01/);
});

t.test('the last ten releases are kept', async (t) => {
  const { options, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/many.txt`)]);
  for (let turn = 1; turn <= 12; turn++) {
    server.serve('/many.txt', asLines([...names(), `turn-${turn}.com`]));
    await updateDatasets({ ...options, now: day(`2026-11-${String(turn).padStart(2, '0')}`) });
  }
  const index = await createReleaseReader(folderPlace(directory), []).index();
  t.equal(index?.releases.length, 10);
  t.equal(index?.releases.at(-1)?.id, '2026-11-03');
  t.equal(existsSync(join(directory, 'releases', '2026-11-02')), false);
  t.equal(existsSync(join(directory, 'releases', '2026-11-03', 'disposable-domains.txt')), true);
});

t.test('lists of a site’s own come from files, and a better source supersedes', async (t) => {
  const { options, root, directory } = makeSmallWorld(t, [urlSource('packed', 'http://127.0.0.1:9/')]);
  const path = join(root, 'own.json');
  writeFileSync(path, JSON.stringify({ list: [...names(), 'seen-by-us.com'] }));
  const own = urlSource('own', path, {
    kind: 'file',
    read: { format: 'json', at: 'list' },
    supersedes: 'packed',
  });
  const { version: _never, ...unshipped } = own;
  const report = await updateDatasets({ ...options, sources: [...options.sources, unshipped] });
  t.match(report, {
    outcome: 'published',
    sources: [{ source: 'packed', result: 'failed' }, { source: 'own' }],
  });
  const data = await loadCurrent(directory);
  t.same(
    data?.disposableSources.map(({ name }) => name),
    ['own'],
  );
  t.ok(data?.disposable.has('seen-by-us.com'));
});

t.test('of a web ranking only the sites under risky endings are held, however long it is', async (t) => {
  server.serve('/list.txt', asLines(names()));
  const { options, root, directory } = makeSmallWorld(t, [urlSource('ours', `${server.url}/list.txt`)]);
  const path = join(root, 'ranking.csv');
  const site = (rank: number) => (rank % 100 === 0 ? `WWW.Known-${rank}.shop` : `shop.known-${rank}.com`);
  const lines = Array.from({ length: 5000 }, (_, index) => `${index + 1},${site(index + 1)}`);
  writeFileSync(path, lines.join('\r\n'));
  const {
    version: _never,
    tier: _none,
    ...ranking
  } = urlSource('ranking', path, {
    kind: 'file',
    feeds: 'established_sites',
  });
  const report = await updateDatasets({ ...options, sources: [...options.sources, ranking] });
  t.match(report, { outcome: 'published', sources: [{}, { source: 'ranking', entries: 50 }] });
  const sites = (await loadCurrent(directory))?.establishedSites;
  t.equal(sites?.size, 50);
  t.ok(sites?.has('known-4900.shop'));
});

t.test('two updates of one folder do not mix', async (t) => {
  // The source answers when one of the two has ended, which proves that they overlapped.
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.serve('/held.txt', (_, response) => void asked.then(() => response.end(asLines(names()))));
  const { options } = makeSmallWorld(t, [urlSource('ours', `${server.url}/held.txt`)]);
  const updates = [updateDatasets(options), updateDatasets(options)];
  await t.rejects(Promise.race(updates), /under way/);
  answer();
  const results = await Promise.allSettled(updates);
  t.match(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

function drip(response: Parameters<Answer>[1]): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('a.com\n'), 20);
  response.on('close', () => clearInterval(timer));
}

function redirect(response: Parameters<Answer>[1], location: string): void {
  response.writeHead(302, { location }).end();
}
