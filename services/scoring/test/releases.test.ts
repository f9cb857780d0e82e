import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXPLAIN_PATH, type Explanation } from '@verdict/contracts/scoring-api.js';
import { buildDatasets } from '@verdict/datasets/build/build-datasets.js';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { makeSigningKeys, readSigningKey } from '@verdict/datasets/releases/signature.js';
import { LISTS_DIR } from '@verdict/datasets/shipped.js';
import { readSources } from '@verdict/datasets/sources/read-sources.js';
import type { ListedSource } from '@verdict/datasets/sources/source.js';
import { rollBack } from '@verdict/datasets/update/roll-back.js';
import { updateDatasets } from '@verdict/datasets/update/update-datasets.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import t, { type Test } from 'tap';
import { unbelievableDatasets } from '../src/config.js';
import { startScoring } from './support/scoring-service.js';

const dns = await startDnsServer({ 'canary.net': { mx: [[1, 'mx.canary.net']] } });
t.teardown(() => dns.close());
const keys = makeSigningKeys();
const common = { DNS_SERVERS: dns.address, DNS_CANARY: 'canary.net', DATASETS_POLL_MS: '100' };

/** A folder of releases fed from one file. */
function makeReleases(t: Test, { signed = false } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'verdict-releases-'));
  t.teardown(() => rmSync(root, { recursive: true, force: true }));
  const directory = mkdtempSync(join(root, 'releases-'));
  const list = join(root, 'list.txt');
  const source: ListedSource = {
    name: 'seen-by-us',
    feeds: 'disposable_domains',
    kind: 'file',
    from: list,
    tier: 'curated',
    licence: 'own',
    read: { format: 'lines' },
  };
  const [shippedDir, listsDir] = [join(root, 'shipped'), join(root, 'lists')];
  cpSync(LISTS_DIR, listsDir, { recursive: true });
  writeFileSync(join(listsDir, 'labelled.txt'), '');
  mkdirSync(shippedDir);
  const part = { names: ['mailinator.com'], operators: new Map() };
  const input = {
    listsDir,
    sources: readSources(LISTS_DIR),
    parts: new Map([['fakefilter', { part, asOf: '2026-01-01' }]]),
  };
  for (const [file, text] of buildDatasets(input)) writeFileSync(join(shippedDir, file), text);
  const publish = async (date: string, ...names: string[]) => {
    writeFileSync(list, `${names.join('\n')}\n`);
    const report = await updateDatasets({
      directory,
      shippedDir,
      listsDir,
      sources: [source],
      registry: 'http://127.0.0.1:9/',
      limits: { deadlineMs: 60_000, bytesMax: 1_000_000 },
      accept: ['all'],
      resume: true,
      now: () => new Date(`${date}T00:00:00Z`),
      ...(signed ? { signingKey: readSigningKey(keys.privateKey) } : {}),
    });
    if (report.outcome !== 'published') throw new Error(`${report.outcome}: ${report.reason}`);
  };
  return { directory, publish };
}

const LASTING = ['mailinator.com', 'one-week-trash.com'];

t.test(
  'an empty folder means the shipped data; a release is taken without a restart, and so is a step back',
  async (t) => {
    const { directory, publish } = makeReleases(t);
    const scoring = await startScoring({ ...common, DATASETS_DIR: directory });
    t.teardown(() => scoring.close());
    t.ok(scoring.deps.datasets.current().disposable.size > 100_000, 'shipped');
    const release = () => scoring.deps.datasets.current().release;

    await publish('2026-11-01', ...LASTING);
    await eventually(() => release() === '2026-11-01');
    await publish('2026-11-08', ...LASTING, 'brand-new-trash.com');
    await eventually(() => release() === '2026-11-08');
    const { answer, lines } = await scoring.score('a@brand-new-trash.com');
    t.equal(answer[0]?.datasets.disposable_domains.version, '2026-11-08', 'the answer names what judged it');
    t.equal(lines[0]?.signals.disposable_email, true);

    const explain = async (body: object) => {
      const answer = await fetch(scoring.url + EXPLAIN_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Explanation & { error?: string } };
    };
    t.match(await explain({ email: 'a@brand-new-trash.com' }), {
      status: 200,
      body: {
        release: '2026-11-08',
        decision: 'block',
        factors: [{ code: 'DISPOSABLE_DOMAIN' }],
        evidence: [
          {
            list: 'disposable_domains',
            entry: 'brand-new-trash.com',
            source: 'seen-by-us',
            tier: 'curated',
            since: '2026-11-08',
            or_earlier: false,
          },
        ],
      },
    });
    const older = await explain({ email: 'a@brand-new-trash.com', datasets: '2026-11-03' });
    t.match(
      older.body,
      { release: '2026-11-01', evidence: [] },
      'the release that was the newest on that day',
    );
    t.equal(older.body.signals.disposable_email, false);
    t.match((await explain({ email: 'x@sub.one-week-trash.com' })).body.evidence, [
      { entry: 'one-week-trash.com', since: '2026-11-01', or_earlier: true },
    ]);
    t.match((await explain({ email: 'no-reply@gmail.com' })).body.evidence, [
      { list: 'known_mail', source: 'hand-lists' },
      { list: 'free_providers' },
      { list: 'role_prefixes', entry: 'noreply' },
    ]);
    t.match(await explain({ email: 'a@b.com', datasets: '2020-01-01' }), {
      status: 400,
      body: { error: /no release of 2020-01-01 or before: kept are 2026-11-08, 2026-11-01/ },
    });
    t.match(await explain({ email: 'not an address' }), { status: 400 });

    await rollBack(directory, '2026-11-01', undefined);
    await eventually(() => release() === '2026-11-01');
  },
);

t.test(
  'over HTTP a signed release is taken and anything else is not; without a server the shipped data serves',
  async (t) => {
    const { directory, publish } = makeReleases(t, { signed: true });
    const place = folderPlace(directory);
    const server = createServer((request, response) => {
      const [, , release = '', file = ''] = (request.url ?? '').split('/');
      (release === '' ? place.index() : place.file(release, file)).then(
        (bytes) => (bytes === undefined ? response.writeHead(404).end() : response.end(bytes)),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    t.teardown(() => server.closeAllConnections());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const start = (address: string, publicKey: string) =>
      startScoring({ ...common, DATASETS_URL: address, DATASETS_PUBLIC_KEY: publicKey });
    const [believing, doubting, alone] = await Promise.all([
      start(url, keys.publicKey),
      start(url, makeSigningKeys().publicKey),
      start('http://127.0.0.1:9', keys.publicKey),
    ]);
    t.teardown(() => Promise.all([believing.close(), doubting.close(), alone.close()]));
    for (const { deps } of [believing, doubting, alone]) t.equal(deps.datasets.current().release, undefined);

    await publish('2026-11-01', ...LASTING);
    await eventually(() => believing.deps.datasets.current().release === '2026-11-01');
    t.match(await doubting.deps.datasetWatch.look(), { kind: 'refused', message: /not signed by the key/ });
    t.match(await alone.deps.datasetWatch.look(), { kind: 'refused' });
    t.match(
      await doubting.deps.metrics.registry.metrics(),
      /verdict_dataset_reloads_total\{result="refused"/,
    );
    t.match(await believing.deps.metrics.registry.metrics(), /verdict_dataset_release\{release="2026-11-01"/);
  },
);

t.test('an address without a key to believe it by is refused at the start', async (t) => {
  const config = { DATASETS_URL: 'http://releases' } as Parameters<typeof unbelievableDatasets>[0];
  t.match(unbelievableDatasets(config), [/needs DATASETS_PUBLIC_KEY/]);
  t.strictSame(unbelievableDatasets({ ...config, DATASETS_PUBLIC_KEY: keys.publicKey }), []);
});

t.test(
  'a release of a form that this version cannot read does not keep a replica from starting',
  async (t) => {
    const { directory, publish } = makeReleases(t);
    await publish('2026-11-01', ...LASTING);
    const broken = mkdtempSync(join(tmpdir(), 'verdict-releases-'));
    t.teardown(() => rmSync(broken, { recursive: true, force: true }));
    cpSync(directory, broken, { recursive: true });
    writeFileSync(join(broken, 'releases', '2026-11-01', 'manifest.json'), '{"schema":99}');
    const scoring = await startScoring({ ...common, DATASETS_DIR: broken });
    t.teardown(() => scoring.close());
    t.ok(scoring.deps.datasets.current().disposable.size > 100_000, 'the shipped data');
    const doubting = await startScoring({
      ...common,
      DATASETS_DIR: directory,
      DATASETS_PUBLIC_KEY: keys.publicKey,
    });
    t.teardown(() => doubting.close());
    t.equal(doubting.deps.datasets.current().release, undefined, 'nor does one without its signature');
    await t.rejects(startScoring({ ...common, DATASETS_DIR: '/nowhere' }), /nowhere/);
  },
);
