import type { Datasets } from '@verdict/contracts/datasets.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';

/** Under a test key addresses of this domain have answers that never change (docs/guides/test-addresses.md). */
const TEST_DOMAIN = 'test.verdict.example';

interface FixedAnswer {
  readonly verdict: Verdict;
  readonly datasets: Datasets;
}

type Named = Pick<EmailAddress, 'domain' | 'local'>;

export const isTestAddress = ({ domain }: Pick<Named, 'domain'>): boolean => domain === TEST_DOMAIN;

/** The answer that a test key gets in place of a score; undefined when the address is scored. */
export const fixedAnswer = (address: Named): FixedAnswer | undefined =>
  isTestAddress(address) ? ANSWERS.get(address.local.toLowerCase()) : undefined;

const VERSION = '2026-01-01';
const DATASETS = {
  disposable_domains: { count: 1, version: VERSION },
  free_providers: { version: VERSION },
  role_prefixes: { version: VERSION },
};
const NO_SIGNALS: Verdict['extra'] = { ...mapFlags(expandedFlags, () => false), suggestion: null };

const answer = (points: number, code: string, reason: string, disposable = false): FixedAnswer => ({
  verdict: {
    risk_score: points,
    signals: { disposable_email: disposable, mx_valid: true, free_provider: false },
    extra: NO_SIGNALS,
    factors: points === 0 ? [] : [{ code, points, reason }],
    datasets: `${VERSION}/${VERSION}/${VERSION}`,
  },
  datasets: DATASETS,
});

const TESTED = 'TEST_ADDRESS';
const ANSWERS: ReadonlyMap<string, FixedAnswer> = new Map([
  ['allow', answer(0, TESTED, '')],
  ['slow', answer(0, TESTED, '')],
  ['challenge', answer(40, TESTED, 'A test address that is challenged')],
  ['review', answer(65, TESTED, 'A test address that is reviewed')],
  ['block', answer(95, TESTED, 'A test address that is blocked')],
  ['disposable', answer(90, 'DISPOSABLE_DOMAIN', 'Disposable email domain detected', true)],
]);
