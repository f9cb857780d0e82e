import { createScoringClient, type ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import { scoringUrls } from './config.js';

const DEADLINE_MS = 30_000;

export async function withScoring<T>(ask: (scoring: ScoringClient) => Promise<T>): Promise<T> {
  const scoring = createScoringClient({ urls: valuesOf(scoringUrls()), deadlineMs: DEADLINE_MS });
  return ask(scoring).finally(() => scoring.close());
}
