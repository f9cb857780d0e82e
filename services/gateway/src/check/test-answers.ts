import { setTimeout as delay } from 'node:timers/promises';
import type { AccountView } from '@verdict/admission/submission.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { Scored } from '@verdict/scoring-client/scored.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { CheckInput } from './check-input.js';
import { quotaExceeded } from './limit-errors.js';

/** Under a test key addresses of this domain have answers that never change (docs/guides/test-addresses.md). */
const TEST_DOMAIN = 'test.verdict.example';
/** Longer than one try of a client should take, shorter than the deadline of a call. */
const SLOW_MS = 2_000;

export const isTestAddress = ({ address }: CheckInput): boolean => address.domain === TEST_DOMAIN;

/** The fixed answer of a test address, or undefined when it is to be scored. Throws the refusals. */
export async function testAnswer({ address }: CheckInput, account: AccountView): Promise<Scored | undefined> {
  const name = address.local.toLowerCase();
  if (name === 'quota') throw quotaExceeded(account, account.limit);
  if (name === 'unavailable') throw unavailable('asked for by a test');
  if (name === 'slow') await delay(SLOW_MS);
  return ANSWERS.get(name);
}

const VERSION = '2026-01-01';
const DATASETS = {
  disposable_domains: { count: 1, version: VERSION },
  free_providers: { version: VERSION },
  role_prefixes: { version: VERSION },
};

const scored = (points: number, code: string, reason: string, disposable = false): Scored => ({
  verdict: {
    risk_score: points,
    signals: { disposable_email: disposable, mx_valid: true, free_provider: false },
    extra: NO_SIGNALS,
    factors: points === 0 ? [] : [{ code, points, reason }],
    datasets: `${VERSION}/${VERSION}/${VERSION}`,
  },
  datasets: DATASETS,
});

const NO_SIGNALS: Verdict['extra'] = { ...mapFlags(expandedFlags, () => false), suggestion: null };

const TESTED = 'TEST_ADDRESS';
const ANSWERS: ReadonlyMap<string, Scored> = new Map([
  ['allow', scored(0, TESTED, '')],
  ['slow', scored(0, TESTED, '')],
  ['challenge', scored(40, TESTED, 'A test address that is challenged')],
  ['review', scored(65, TESTED, 'A test address that is reviewed')],
  ['block', scored(95, TESTED, 'A test address that is blocked')],
  ['disposable', scored(90, 'DISPOSABLE_DOMAIN', 'Disposable email domain detected', true)],
]);
