import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RELEASES_PATH } from '@verdict/contracts/control-plane-api.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { currentRelease } from '@verdict/datasets/releases/release-index.js';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { createReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { makeSigningKeys } from '@verdict/datasets/releases/signature.js';
import { LISTS_DIR } from '@verdict/datasets/shipped.js';
import { readSources } from '@verdict/datasets/sources/read-sources.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { http } from '@verdict/local-stack/http.js';
import { programFile } from '@verdict/local-stack/program.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { startCheckLoad } from '../harness/check-load.js';
import { finish } from '../harness/compose.js';
import { startPinnedRegistry } from './start-pinned-registry.js';

const CLI = programFile('verdict');
const PACKAGE = 'mailchecker';
const OLD_VERSION = '6.0.20';
/** Building 160,000 names is seconds of CPU, on a machine that others use too. */
const PATIENCE = { withinMs: 300_000, everyMs: 200 };

t.test(
  'lists keep themselves fresh: from the sources through the worker to three replicas under load',
  async (t) => {
    const registry = await startPinnedRegistry(PACKAGE);
    t.teardown(() => registry?.stop());
    registry?.pin(OLD_VERSION);
    const folder = mkdtempSync(join(tmpdir(), 'verdict-fresh-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const directory = join(folder, 'releases');
    mkdirSync(directory);
    const own = join(folder, 'own.txt');
    writeFileSync(own, 'seen-on-monday.com\n');
    // The load continues for as long as an exchange takes, however slow the machine: no month may end meanwhile.
    const plansFile = join(folder, 'plans.json');
    const free = { checks_per_month: 1_000_000_000, checks_per_second: 1_000, retention_days: 30 };
    writeFileSync(plansFile, JSON.stringify({ free }));
    const keys = makeSigningKeys();
    const updating = {
      DATASETS_DIR: directory,
      DATASETS_REGISTRY: registry?.url ?? 'http://127.0.0.1:9/',
      DATASETS_SOURCES: writeSources(folder, own),
      DATASETS_SIGNING_KEY: keys.privateKey,
    };
    const controlPort = await freePort();
    const controlUrl = `http://127.0.0.1:${controlPort}`;
    const stack = await startStack({
      scorings: 3,
      env: {
        all: { CONTROL_PLANE_INTERNAL_URL: controlUrl, PLANS_FILE: plansFile },
        'control-plane': { INTERNAL_PORT: controlPort, DATASETS_DIR: directory },
        worker: updating,
        scoring: {
          DATASETS_URL: `${controlUrl}${RELEASES_PATH}/`,
          DATASETS_PUBLIC_KEY: keys.publicKey,
          DATASETS_POLL_MS: 300,
        },
      },
    });
    t.teardown(() => stack.stop());
    const verdict = (...args: string[]) =>
      finish(process.execPath, [CLI, ...args], {
        ...updating,
        SCORING_URLS: String(stack.environments.gateway.SCORING_URLS),
      });
    const metricsOf = async (url: string) => (await http(`${url}/metrics`)).text;
    const releaseOf = async (url: string) =>
      /verdict_dataset_release\{release="([^"]+)"/.exec(await metricsOf(url))?.[1];
    const allHave = (release: string) =>
      eventually(async () => {
        const seen = await Promise.all(stack.scorings.map(({ internalUrl }) => releaseOf(internalUrl)));
        return seen.every((one) => one === release);
      }, PATIENCE);
    const decide = async (email: string) =>
      (await stack.api<{ decision: string }>('check/', { json: { email } })).body.decision;
    const published = async () => {
      const reader = createReleaseReader(folderPlace(directory), []);
      const index = await reader.index();
      return index && { id: index.current, read: reader.open(currentRelease(index)) };
    };

    const first = await eventually(published, PATIENCE);
    await allHave(first.id);
    t.pass('the task of the worker published by itself, and every replica believes its signature');
    t.equal(await decide('a@seen-on-monday.com'), 'block');
    t.not(await decide('a@seen-on-tuesday.com'), 'block');
    const [worker] = stack.workers;
    // Said once the task has come to its end, which the release does not wait for.
    const saidByWorker = (series: RegExp) =>
      eventually(async () => series.test(await metricsOf(worker?.internalUrl ?? '')), PATIENCE);
    await saidByWorker(/verdict_dataset_source_age_seconds\{source="own",service="worker"\} \d/);
    await saidByWorker(/verdict_dataset_source_failed\{source="fakefilter",service="worker"\} 1/);

    const pids = stack.scorings.map(({ pid }) => pid);
    const load = startCheckLoad({
      baseUrls: stack.baseUrls,
      apiKey: stack.apiKey,
      connections: 8,
      perSecond: 40,
    });
    writeFileSync(own, 'seen-on-monday.com\nseen-on-tuesday.com\n');
    const update = await verdict('datasets', 'update', '--json');
    const second = JSON.parse(update.stdout) as { outcome: string; release: string };
    t.equal(second.outcome, 'published', update.stderr);
    await allHave(second.release);
    const { attempts, failures } = await load.stop();
    t.strictSame(failures, {}, `three replicas were exchanged under ${attempts} checks, none failed`);
    t.ok(attempts > 0);
    t.equal(await decide('a@seen-on-tuesday.com'), 'block');
    t.strictSame(
      stack.scorings.map(({ pid }) => pid),
      pids,
      'nothing was restarted',
    );

    const explained = await verdict('explain', 'a@seen-on-tuesday.com');
    t.match(explained.stdout, `own (curated), since ${second.release}\n`, explained.stderr);
    const older = await verdict('explain', 'a@seen-on-tuesday.com', '--datasets', first.id, '--json');
    t.match(JSON.parse(older.stdout), { release: first.id, evidence: [] }, older.stderr);

    const skip =
      registry === null && 'no npm registry can be reached: no new version of a package was seen to arrive';
    await t.test('a new version of a package appears without a restart', { skip }, async (t) => {
      const before = await published();
      if (before === undefined) throw new Error('nothing is published');
      const had = await loadDatasets(before.read);
      registry?.pin(undefined);
      const report = JSON.parse((await verdict('datasets', 'update', '--json')).stdout) as {
        release: string;
        sources: { source: string; result: string }[];
      };
      t.match(
        report.sources.find(({ source }) => source === PACKAGE),
        { result: 'changed' },
      );
      const after = await published();
      if (after === undefined) throw new Error('nothing is published');
      const added = [...(await loadDatasets(after.read)).disposable.names()].find(
        (name) => !had.disposable.has(name),
      );
      await allHave(report.release);
      const why = await verdict('explain', `a@${added}`);
      t.match(why.stdout, `${PACKAGE} (mailchecker), since ${report.release}\n`, why.stderr);
      t.match(await stack.api('status/'), {
        status: 200,
        body: { datasets: { disposable_domains: { version: report.release.slice(0, 10) } } },
      });
    });

    const back = await verdict('datasets', 'rollback', first.id);
    t.match(back.stdout, first.id, back.stderr);
    await allHave(first.id);
    t.not(await decide('a@seen-on-tuesday.com'), 'block');
    await saidByWorker(/verdict_dataset_updates_held\{service="worker"\} 1/);
  },
);

/** Everything that is not on this machine is turned off; packages that the registry does not have fail and stay. */
function writeSources(folder: string, own: string): string {
  const urls = readSources(LISTS_DIR).filter(({ kind }) => kind === 'url');
  const off = (feeding: string) =>
    Object.fromEntries(
      urls.filter(({ feeds }) => feeds === feeding).map(({ name }) => [name, { enabled: false }]),
    );
  const path = join(folder, 'sources.json');
  writeFileSync(
    path,
    JSON.stringify({
      disposable_domains: {
        ...off('disposable_domains'),
        own: { kind: 'file', from: own, tier: 'curated', licence: 'own', read: { format: 'lines' } },
      },
      ip_networks: off('ip_networks'),
    }),
  );
  return path;
}
