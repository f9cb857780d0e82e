import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Datasets } from '@verdict/contracts/datasets.js';
import { DATASETS_PATH } from '@verdict/contracts/scoring-api.js';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { createReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { makeSigningKeys } from '@verdict/datasets/releases/signature.js';
import { isListed } from '@verdict/datasets/sources/source.js';
import { rollBack } from '@verdict/datasets/update/roll-back.js';
import { updateDatasets } from '@verdict/datasets/update/update-datasets.js';
import { signingKey, updateOptions } from '@verdict/datasets/update/update-settings.js';
import { readState } from '@verdict/datasets/update/update-state.js';
import type { Command } from 'commander';
import { askScoring } from '../ask-scoring.js';
import { datasets as datasetSettings } from '../config.js';
import type { Context } from '../context.js';
import { table } from '../output.js';

export function addDatasets(program: Command, context: Context): void {
  const datasets = program
    .command('datasets')
    .description('the lists that scoring has loaded (SCORING_URLS)')
    .action(() => showLoaded(context));
  datasets
    .command('update')
    .description('fetch what changed at the sources, build, guard and publish (DATASETS_DIR)')
    .option('--accept <source...>', 'believe a sudden change of size of these sources; "all" for all')
    .option('--resume', 'publish again after a rollback')
    .action((options: { accept?: string[]; resume?: boolean }) => update(context, options));
  datasets
    .command('sources')
    .description('every source with its licence, where it comes from and how it is')
    .action(() => showSources(context));
  datasets
    .command('releases')
    .description('what was published, the newest first')
    .action(() => showReleases(context));
  datasets
    .command('rollback [release]')
    .description('make an older release current, by default the one before; holds the daily update')
    .action((release?: string) => goBack(context, release));
  datasets
    .command('keygen <folder>')
    .description('make the pair of keys that releases are signed and believed with')
    .action((folder: string) => makeKeys(context, folder));
}

async function showLoaded({ output }: Context): Promise<void> {
  const { disposable_domains, free_providers, role_prefixes } = await askScoring<Datasets>(DATASETS_PATH);
  output().rows(
    [
      { dataset: 'disposable_domains', version: disposable_domains.version, count: disposable_domains.count },
      { dataset: 'free_providers', version: free_providers.version, count: null },
      { dataset: 'role_prefixes', version: role_prefixes.version, count: null },
    ],
    '',
  );
}

async function update(
  { output, fail }: Context,
  { accept = [], resume = false }: { accept?: string[]; resume?: boolean },
): Promise<void> {
  const settings = await datasetSettings();
  const report = await updateDatasets({ ...updateOptions(settings, settings.DATASETS_DIR), accept, resume });
  const sentence = {
    published: `Release ${report.release} was published.`,
    unchanged: 'Nothing changed; nothing was published.',
    refused: `Refused, the old data stays: ${report.reason}.`,
    held: `Nothing was published: ${report.reason}. --resume publishes again.`,
  }[report.outcome];
  output().document(report, `${table(report.sources.map((each) => ({ ...each })))}\n\n${sentence}\n`);
  if (report.outcome === 'refused' || report.sources.some(({ result }) => result === 'failed')) fail();
}

async function showSources({ output }: Context): Promise<void> {
  const settings = await datasetSettings();
  const state = await readState(settings.DATASETS_DIR);
  const rows = updateOptions(settings, settings.DATASETS_DIR)
    .sources.filter(isListed)
    .map(({ name, feeds, kind, tier, licence, from }) => {
      const { good_at, entries, failure } = state.sources[name] ?? {};
      return {
        source: name,
        feeds,
        kind,
        tier: tier ?? '',
        licence,
        entries: entries ?? null,
        good: good_at?.slice(0, 16) ?? '',
        problem: failure?.reason ?? '',
        from: from ?? name,
      };
    });
  output().rows(rows, 'There are no sources.');
}

async function showReleases({ output }: Context): Promise<void> {
  const index = await createReleaseReader(folderPlace((await datasetSettings()).DATASETS_DIR), []).index();
  const rows = (index?.releases ?? []).map(({ id, published_at }) => ({
    release: id,
    published: published_at.slice(0, 16),
    current: id === index?.current,
  }));
  output().rows(rows, 'Nothing was published yet.');
}

async function goBack({ output }: Context, wanted: string | undefined): Promise<void> {
  const settings = await datasetSettings();
  const release = await rollBack(settings.DATASETS_DIR, wanted, signingKey(settings));
  output().object({ release: release.id, published: release.published_at, updates: 'held' });
}

function makeKeys({ output }: Context, folder: string): void {
  const { privateKey, publicKey } = makeSigningKeys();
  mkdirSync(folder, { recursive: true });
  const paths = {
    DATASETS_SIGNING_KEY_FILE: join(folder, 'datasets_signing_key'),
    DATASETS_PUBLIC_KEY_FILE: join(folder, 'datasets_public_key'),
  };
  // wx: a key that replicas believe in is not overwritten by a second thought.
  writeFileSync(paths.DATASETS_SIGNING_KEY_FILE, `${privateKey}\n`, { mode: 0o600, flag: 'wx' });
  writeFileSync(paths.DATASETS_PUBLIC_KEY_FILE, `${publicKey}\n`, { flag: 'wx' });
  output().object(paths);
}
