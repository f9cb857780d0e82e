import {
  SCORE_BATCH_MAX,
  SCORE_PATH,
  SCORING_VERSION,
  ScoreLineSchema,
} from '@verdict/contracts/scoring-api.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { Compile } from 'typebox/compile';

/** Verdicts in the order of the addresses. */
export type ScoreAddresses = (emails: readonly string[], accountId: string) => Promise<Verdict[]>;

/** Scoring answers within its DNS deadline; a replica that takes longer than this is lost. */
const TIMEOUT_MS = 10_000;
const scoreLine = Compile(ScoreLineSchema);

/**
 * Asks the replicas in turn, with as many addresses as they take; the caller repeats failures, because scoring has no
 * side effects. New domains use a separate budget for bulk, so that the account's other checks keep theirs.
 */
export function createScoreAddresses(urls: readonly string[]): ScoreAddresses {
  let next = 0;

  async function scorePart(emails: readonly string[], owner: string): Promise<Verdict[]> {
    const url = urls[next++ % urls.length] as string;
    const answer = await fetch(new URL(SCORE_PATH, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        v: SCORING_VERSION,
        checks: emails.map((email) => ({ email, account_id: owner })),
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`scoring answered ${answer.status}`);
    const verdicts: Verdict[] = [];
    for (const text of (await answer.text()).split('\n')) {
      if (text === '') continue;
      const line: unknown = JSON.parse(text);
      if (!scoreLine.Check(line))
        throw new Error('scoring answered with something that is not a line of verdicts');
      for (const { i, verdict } of line.checks) verdicts[i] = line.verdicts[verdict] as Verdict;
    }
    if (emails.some((_, i) => verdicts[i] === undefined)) throw new Error('scoring left out a verdict');
    return verdicts;
  }

  return async (emails, accountId) => {
    const parts: Promise<Verdict[]>[] = [];
    for (let from = 0; from < emails.length; from += SCORE_BATCH_MAX) {
      parts.push(scorePart(emails.slice(from, from + SCORE_BATCH_MAX), `bulk ${accountId}`));
    }
    return (await Promise.all(parts)).flat();
  };
}
