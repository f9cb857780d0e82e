import type { Verdict } from '@verdict/contracts/verdict.js';
import type { ChunkDependencies } from './run-chunk.js';

interface Patience {
  readonly pause: (ms: number) => Promise<void>;
  /** Stops waiting, because the process is stopping. */
  readonly isOver: () => boolean;
}

const WAIT_MS = 1_000;
const ROUNDS_MAX = 20;
/** Rounds without an answer more after which the rest is left for later. */
const FRUITLESS_MAX = 2;

/**
 * Scores addresses at the pace of DNS: those whose domain is still unknown, by budget or by a slow server, are asked
 * again before anything is counted, as long as that makes progress.
 */
export async function scorePatiently(
  score: ChunkDependencies['score'],
  emails: readonly string[],
  accountId: string,
  { pause, isOver }: Patience,
): Promise<Verdict[]> {
  const verdicts = await score(emails, accountId);
  let unknown = unknownOf(verdicts);
  let fruitless = 0;
  for (let round = 0; round < ROUNDS_MAX && unknown.length > 0 && fruitless < FRUITLESS_MAX; round++) {
    if (isOver()) break;
    await pause(WAIT_MS);
    const again = await score(
      unknown.map((i) => emails[i] as string),
      accountId,
    );
    for (const [at, i] of unknown.entries()) verdicts[i] = again[at] as Verdict;
    const left = unknownOf(verdicts);
    fruitless = left.length < unknown.length ? 0 : fruitless + 1;
    unknown = left;
  }
  return verdicts;
}

const unknownOf = (verdicts: readonly Verdict[]): number[] =>
  [...verdicts.keys()].filter((i) => verdicts[i]?.extra.mx_unknown);
