import { randomFillSync } from 'node:crypto';
import { decide } from '@verdict/admission/decide.js';
import { CHECK_LOG_VERSION } from '@verdict/contracts/check-log-job.js';
import { NOTE_VERSION } from '@verdict/contracts/step-note.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';

const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));
const ACCOUNTS = 50;
let person = 0;

const verdict = (risk_score, [disposable_email, mx_valid, free_provider], ...factors) =>
  sampleVerdict({
    risk_score,
    signals: { disposable_email, mx_valid, free_provider },
    factors: factors.map(([code, points, reason]) => ({ code, points, reason })),
  });
const FREE = ['FREE_PROVIDER', 5, 'Free consumer email provider'];
const DISPOSABLE = ['DISPOSABLE_DOMAIN', 85, 'The domain is known for disposable addresses'];
const ROLE = ['ROLE_ACCOUNT', 20, 'The address belongs to a role rather than a person'];
const NO_MX = ['NO_MX', 60, 'The domain has no mail servers'];
const TAG = ['PLUS_TAG', 5, 'The address carries a tag'];

/** The traffic of a sign-up form: most checks share one of a few verdicts. */
const COMMON = [
  verdict(5, [false, true, true], FREE),
  verdict(0, [false, true, false]),
  verdict(10, [false, true, true], FREE, TAG),
  verdict(85, [true, true, false], DISPOSABLE),
  verdict(20, [false, true, false], ROLE),
  verdict(60, [false, false, false], NO_MX),
  verdict(100, [true, false, false], DISPOSABLE, NO_MX),
  verdict(25, [false, true, true], FREE, ROLE),
];

/** One in twenty is like no other, because its reason names what the address should have been. */
function verdictOf(index) {
  if (index % 20 !== 7) return COMMON[(index * 7) % COMMON.length];
  const suggestion = ['DOMAIN_TYPO', 40, `Did you mean person.${person}@gmail.com?`];
  return verdict(40, [false, false, false], suggestion);
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

/**
 * A batch as the step leaves it: the job that BullMQ holds, and the note that says that all of it was granted.
 * @param {ReturnType<typeof createCheckLogs>} logs
 */
export function toBatch(logs) {
  const verdicts = [...new Set(logs.map((log) => log.verdict))];
  const positions = new Map(verdicts.map((one, index) => [one, index]));
  const groups = logs.map(({ id, account_id, key_id, request_id, email, ip, verdict: own }) => ({
    account_id,
    key_id,
    request_id,
    checks: [{ id, email, canonical: email, ip, verdict: positions.get(own) }],
  }));
  const granted = groups.map(() => ({ caller: 0, outcome: 'granted' }));
  return {
    id: createId('bat'),
    job: { v: CHECK_LOG_VERSION, verdicts: verdicts.map(decide), groups },
    note: { v: NOTE_VERSION, now: Date.now() * 1000, callers: [], groups: granted },
  };
}
