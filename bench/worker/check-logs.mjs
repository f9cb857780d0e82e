import { randomFillSync } from 'node:crypto';
import { CHECK_LOG_VERSION } from '@verdict/contracts/check-log-job.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';

const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));
const ACCOUNTS = 50;
let person = 0;

const verdict = (decision, risk_score, [disposable_email, mx_valid, free_provider], ...factors) => ({
  decision,
  risk_score,
  signals: { disposable_email, mx_valid, free_provider },
  reasons: factors.map(([, , reason]) => reason),
  factors: factors.map(([code, points]) => ({ code, points })),
  datasets: '2026-11-01/2026-11-01/2026-11-01',
});
const FREE = ['FREE_PROVIDER', 5, 'Free consumer email provider'];
const DISPOSABLE = ['DISPOSABLE_DOMAIN', 85, 'The domain is known for disposable addresses'];
const ROLE = ['ROLE_ACCOUNT', 20, 'The address belongs to a role rather than a person'];
const NO_MX = ['NO_MX', 60, 'The domain has no mail servers'];
const TAG = ['PLUS_TAG', 5, 'The address carries a tag'];

/** What a sign-up form sees: most checks share one of a few verdicts. */
const COMMON = [
  verdict('allow', 5, [false, true, true], FREE),
  verdict('allow', 0, [false, true, false]),
  verdict('allow', 10, [false, true, true], FREE, TAG),
  verdict('block', 85, [true, true, false], DISPOSABLE),
  verdict('allow', 20, [false, true, false], ROLE),
  verdict('review', 60, [false, false, false], NO_MX),
  verdict('block', 100, [true, false, false], DISPOSABLE, NO_MX),
  verdict('challenge', 25, [false, true, true], FREE, ROLE),
];

/** One in twenty is like no other, because its reason names what the address should have been. */
function verdictOf(index) {
  if (index % 20 !== 7) return COMMON[(index * 7) % COMMON.length];
  const suggestion = ['DOMAIN_TYPO', 40, `Did you mean person.${person}@gmail.com?`];
  return verdict('challenge', 40, [false, false, false], suggestion);
}

/** Checks as a gateway would log them now, spread over fifty accounts with two keys each. @param {number} count */
export function createCheckLogs(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: createId('log'),
    account_id: `acc_bench_${index % ACCOUNTS}`,
    key_id: `key_bench_${index % (2 * ACCOUNTS)}`,
    email: `person.${++person}@company-${index % 997}.example`,
    ip: `203.0.113.${index % 256}`,
    request_id: createId('req'),
    created_at: formatCreatedAt(Date.now() * 1000 + (index % 1000)),
    verdict: verdictOf(index),
  }));
}

const EXTRA = {
  role_account: false,
  no_reply: false,
  relay: false,
  mx_unknown: false,
  plus_tag: false,
  suggestion: null,
};

/** The job and the note that the step would leave for these checks. */
export function toBatch(logs) {
  const known = [...new Set(logs.map((log) => log.verdict))];
  const verdicts = known.map(({ risk_score, signals, reasons, factors, datasets }) => ({
    risk_score,
    signals,
    extra: EXTRA,
    factors: factors.map((factor, i) => ({ ...factor, reason: reasons[i] })),
    datasets,
  }));
  const groups = logs.map(({ id, account_id, key_id, request_id, email, ip, verdict }) => ({
    account_id,
    key_id,
    request_id,
    checks: [{ id, email, canonical: email, ip, verdict: known.indexOf(verdict) }],
  }));
  const note = {
    now: Date.now() * 1000,
    callers: [],
    groups: logs.map(() => ({ caller: 0, outcome: 'granted', used: 1 })),
  };
  return { data: { v: CHECK_LOG_VERSION, verdicts, groups }, note: JSON.stringify(note) };
}
