import { type Datasets, DatasetsSchema } from '@verdict/contracts/datasets.js';
import {
  DATASETS_PATH,
  EXPLAIN_PATH,
  type Explanation,
  ExplanationSchema,
} from '@verdict/contracts/scoring-api.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { Value } from 'typebox/value';

export interface ScoringClient {
  /** The datasets of the first replica that answers. */
  datasets(): Promise<Datasets>;
  /** How an address is judged now, without lists and without counting, and which listings it rests on. */
  explain(email: string): Promise<Explanation>;
}

export function createScoringClient(urls: readonly string[], deadlineMs: number): ScoringClient {
  async function firstToAnswer<T>(path: string, init: RequestInit, read: (reply: Response) => Promise<T>) {
    let failure: unknown;
    for (const url of urls) {
      try {
        const reply = await fetch(new URL(path, url), init);
        if (!reply.ok) throw new Error(`scoring answered ${reply.status}`);
        return await read(reply);
      } catch (error) {
        failure = error;
      }
    }
    throw unavailable('scoring', failure);
  }

  return {
    datasets: () =>
      firstToAnswer(DATASETS_PATH, { signal: AbortSignal.timeout(deadlineMs) }, async (reply) =>
        Value.Parse(DatasetsSchema, await reply.json()),
      ),
    explain: (email) =>
      firstToAnswer(
        EXPLAIN_PATH,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email }),
          signal: AbortSignal.timeout(deadlineMs),
        },
        async (reply) => Value.Parse(ExplanationSchema, await reply.json()),
      ),
  };
}
