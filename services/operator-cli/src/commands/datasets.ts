import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { createReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { makeSigningKeys } from '@verdict/datasets/releases/signature.js';
import { isListed } from '@verdict/datasets/sources/source.js';
import { rollBack } from '@verdict/datasets/update/roll-back.js';
import { updateDatasets } from '@verdict/datasets/update/update-datasets.js';
import { signingKey, updateOptions } from '@verdict/datasets/update/update-settings.js';
import { readState } from '@verdict/datasets/update/update-state.js';
import { appendOperatorEvent } from '@verdict/db/accounts/operator-events.js';
import { decideLook, listLooks } from '@verdict/db/revisions/decide-look.js';
import { listingDiff } from '@verdict/db/revisions/listing-diff.js';
import type { Command } from 'commander';
import { datasets as datasetSettings } from '../config.js';
import { withDatabase } from '../connect.js';
import type { Context } from '../context.js';
import { isDay } from '../is-day.js';
import { operatorAudit } from '../operator-audit.js';
import { table } from '../output.js';
import { withScoring } from '../with-scoring.js';

const LOOKS_SHOWN = 20;

export function addDatasets(program: Command, context: Context): void {
  const datasets = program
    .command('datasets')
    .description('show the lists that scoring has loaded (SCORING_URLS)')
    .action(() => showLoaded(context));
  datasets
    .command('update')
    .description('fetch the sources, check and publish a release (DATASETS_DIR)')
    .option('--accept <source...>', 'accept a large change of these sources; "all" for every source')
    .option('--resume', 'resume updates after a rollback')
    .action((options: { accept?: string[]; resume?: boolean }) => update(context, options));
  datasets
    .command('sources')
    .description('list every source with licence, origin and state')
    .action(() => showSources(context));
  datasets
    .command('releases')
    .description('list releases, newest first')
    .action(() => showReleases(context));
  datasets
    .command('rollback [release]')
    .description('activate an older release, by default the previous one, and pause updates')
    .action((release?: string) => goBack(context, release));
  datasets
    .command('looks')
    .description('list second looks at stored checks; decide one that found too many')
    .option('--allow <id>', 'revise the checks that a held look found')
    .option('--refuse <id>', 'revise none of them')
    .action((options: { allow?: string; refuse?: string }) => looks(context, options));
  datasets
    .command('diff <from> <to>')
    .description(
      'list the names that sources began or ceased to list after a day, up to another (2026-11-15)',
    )
    .action((from: string, to: string) => diff(context, from, to));
  datasets
    .command('keygen <folder>')
    .description('create the key pair that signs and verifies releases')
    .action((folder: string) => makeKeys(context, folder));
}

async function showLoaded({ output }: Context): Promise<void> {
  const { disposable_domains, free_providers, role_prefixes } = await withScoring((scoring) =>
    scoring.datasets(),
  );
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
    refused: `Refused; the old lists stay active: ${report.reason}.`,
    held: `Nothing was published: ${report.reason}. Use --resume to publish again.`,
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

async function looks(
  { output }: Context,
  { allow, refuse }: { allow?: string; refuse?: string },
): Promise<void> {
  const rows = await withDatabase(async (db) => {
    const id = allow ?? refuse;
    if (id !== undefined) {
      if (!(await decideLook(db, id, allow !== undefined))) throw new Error(`${id} is not a held look`);
      await appendOperatorEvent(db, operatorAudit(allow === undefined ? 'look.refused' : 'look.allowed', id));
    }
    return listLooks(db, LOOKS_SHOWN);
  });
  output().rows(rows, 'No release was noted yet.');
}

async function diff({ output }: Context, from: string, to: string): Promise<void> {
  for (const day of [from, to]) if (!isDay(day)) throw new Error(`${day} is not a day such as 2026-11-15`);
  const rows = await withDatabase((db) => listingDiff(db, from, to));
  output().rows(
    rows.map(({ domain, source, listed, day }) => ({
      domain,
      source,
      change: listed ? 'listed' : 'unlisted',
      day,
    })),
    'No source changed its mind about a name.',
  );
}

function makeKeys({ output }: Context, folder: string): void {
  const { privateKey, publicKey } = makeSigningKeys();
  mkdirSync(folder, { recursive: true });
  const paths = {
    DATASETS_SIGNING_KEY_FILE: join(folder, 'datasets_signing_key'),
    DATASETS_PUBLIC_KEY_FILE: join(folder, 'datasets_public_key'),
  };
  // wx: never overwrite a key that replicas trust.
  writeFileSync(paths.DATASETS_SIGNING_KEY_FILE, `${privateKey}\n`, { mode: 0o600, flag: 'wx' });
  writeFileSync(paths.DATASETS_PUBLIC_KEY_FILE, `${publicKey}\n`, { flag: 'wx' });
  output().object(paths);
}
