import type { Datasets } from '@verdict/contracts/datasets.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { Entry } from '@verdict/service-kit/natural-batcher.js';

export interface ScoreItem {
  readonly email: string;
  readonly accountId: string;
}

export interface Scored {
  /** Checks that a replica found alike hold the same object, as long as its connection lasts. */
  readonly verdict: Verdict;
  readonly datasets: Datasets;
}

export type ScoreEntry = Entry<ScoreItem, Scored>;
