import { type Datasets, DatasetsSchema } from '@verdict/contracts/datasets.js';
import {
  DATASETS_PATH,
  SCORE_PATH,
  SCORING_VERSION,
  ScoreLineSchema,
} from '@verdict/contracts/scoring-api.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { ExtraSignals, Signals } from '@verdict/contracts/signals.js';
import type { Factor } from '@verdict/contracts/verdict.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { Value } from 'typebox/value';

export interface Scored {
  readonly datasets: { disposable_domains: string; free_providers: string; role_prefixes: string };
  readonly risk_score: number;
  readonly signals: Signals & ExtraSignals;
  readonly factors: Factor[];
}

export interface ScoringClient {
  /** What the first replica that answers has loaded. */
  datasets(): Promise<Datasets>;
  /** How an address is judged at this moment, without lists and without counting. */
  score(email: string, accountId: string): Promise<Scored>;
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
    score: (email, account_id) =>
      firstToAnswer(
        SCORE_PATH,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ v: SCORING_VERSION, checks: [{ email, account_id }] }),
          signal: AbortSignal.timeout(deadlineMs),
        },
        async (reply) => readScore(await reply.text()),
      ),
  };
}

/** NDJSON: one line with the datasets and the verdict of the one check. */
function readScore(text: string): Scored {
  const {
    datasets,
    verdicts: [verdict],
  } = Value.Parse(ScoreLineSchema, JSON.parse(text));
  if (!verdict) throw new Error('scoring answered without a verdict');
  const { risk_score, signals, extra, factors } = verdict;
  return {
    datasets: {
      disposable_domains: datasets.disposable_domains.version,
      free_providers: datasets.free_providers.version,
      role_prefixes: datasets.role_prefixes.version,
    },
    risk_score,
    signals: { ...signals, ...mapFlags(expandedFlags, () => false), ...extra },
    factors,
  };
}
