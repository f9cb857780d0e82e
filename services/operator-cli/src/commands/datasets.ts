import type { Datasets } from '@verdict/contracts/datasets.js';
import { DATASETS_PATH } from '@verdict/contracts/scoring-api.js';
import type { Command } from 'commander';
import { scoringUrl } from '../config.js';
import type { Context } from '../context.js';

const TIMEOUT_MS = 5_000;

export function addDatasets(program: Command, { output }: Context): void {
  program
    .command('datasets')
    .description('the lists that scoring has loaded (SCORING_URLS)')
    .action(async () => {
      const url = new URL(DATASETS_PATH, scoringUrl());
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
      if (!answer?.ok) throw new Error(`scoring does not answer at ${url.origin}`);
      const { disposable_domains, free_providers, role_prefixes } = (await answer.json()) as Datasets;
      output().rows(
        [
          {
            dataset: 'disposable_domains',
            version: disposable_domains.version,
            count: disposable_domains.count,
          },
          { dataset: 'free_providers', version: free_providers.version, count: null },
          { dataset: 'role_prefixes', version: role_prefixes.version, count: null },
        ],
        '',
      );
    });
}
