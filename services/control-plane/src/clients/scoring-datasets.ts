import { type Datasets, DatasetsSchema } from '@verdict/contracts/datasets.js';
import { DATASETS_PATH } from '@verdict/contracts/scoring-api.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { Value } from 'typebox/value';

export interface ScoringClient {
  /** What the first replica that answers has loaded. */
  datasets(): Promise<Datasets>;
}

const DEADLINE_MS = 1_000;

export function createScoringClient(urls: readonly string[]): ScoringClient {
  return {
    async datasets() {
      let failure: unknown;
      for (const url of urls) {
        try {
          const reply = await fetch(new URL(DATASETS_PATH, url), {
            signal: AbortSignal.timeout(DEADLINE_MS),
          });
          if (!reply.ok) throw new Error(`scoring answered ${reply.status}`);
          return Value.Parse(DatasetsSchema, await reply.json());
        } catch (error) {
          failure = error;
        }
      }
      throw unavailable('scoring', failure);
    },
  };
}
