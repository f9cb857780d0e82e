import { randomFillSync } from 'node:crypto';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';

const createId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));
const DECISIONS = ['allow', 'challenge', 'review', 'block'];
const ACCOUNTS = 50;
let person = 0;

/** Checks as a gateway would log them now, spread over fifty accounts with two keys each. @param {number} count */
export function createCheckLogs(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: createId('log'),
    account_id: `acc_bench_${index % ACCOUNTS}`,
    key_id: `key_bench_${index % (2 * ACCOUNTS)}`,
    email: `person.${++person}@company-${index % 997}.example`,
    ip: `203.0.113.${index % 256}`,
    decision: DECISIONS[index % 4],
    risk_score: index % 101,
    signals: { disposable_email: false, mx_valid: true, free_provider: false },
    reasons: ['The domain has mail servers', 'The address looks like a person'],
    factors: [
      { code: 'MX_VALID', points: 0 },
      { code: 'NEW_DOMAIN', points: 10 },
    ],
    datasets: '2026-11-01/2026-11-01/2026-11-01',
    request_id: createId('req'),
    created_at: formatCreatedAt(Date.now() * 1000 + (index % 1000)),
  }));
}
