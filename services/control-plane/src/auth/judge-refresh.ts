import { hashSecret, nextSecret } from './refresh-token.js';

interface Chain {
  readonly tokenHash: string;
  readonly chainKey: string;
  readonly rotations: number;
  readonly inGrace: boolean;
}

/**
 * - current: the newest token of its session;
 * - raced: the one before it, replaced so lately that its holder may not have heard, as happens to two tabs of one browser;
 * - reused: a token that was replaced longer ago. Two parties hold it, and one of them stole it;
 * - wrong: never a token of this session. Anybody can make one up, so it must not end anything.
 */
export type RefreshVerdict = 'current' | 'raced' | 'reused' | 'wrong';

/** Half a day of a tab that is never closed. An older token gets the answer of a wrong one, and costs no more. */
const STEPS_MAX = 50;

export function judgeRefresh(
  { tokenHash, chainKey, rotations, inGrace }: Chain,
  shown: string,
): RefreshVerdict {
  if (hashSecret(shown) === tokenHash) return 'current';
  let secret = shown;
  for (let step = 1; step <= Math.min(rotations, STEPS_MAX); step++) {
    secret = nextSecret(chainKey, secret);
    if (hashSecret(secret) === tokenHash) return step === 1 && inGrace ? 'raced' : 'reused';
  }
  return 'wrong';
}
