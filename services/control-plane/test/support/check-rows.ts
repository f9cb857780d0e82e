import { randomFillSync } from 'node:crypto';
import type { CheckRow } from '@verdict/db/checks/check-row.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';

export const createId = createIdFactory(Date.now, randomFillSync);

/** One check of an account, as the worker would persist it. */
export const rowOf = (accountId: string, keyId: string): CheckRow => ({
  id: createId('log'),
  account_id: accountId,
  key_id: keyId,
  request_id: createId('req'),
  created_at: formatCreatedAt(Date.now() * 1000),
  email: 'somebody@example.org',
  domain: 'example.org',
  email_hash: 'h',
  mailbox_hash: null,
  ip: '192.0.2.1',
  verdict: {
    decision: 'allow',
    risk_score: 0,
    verdict_score: 0,
    signals: { disposable_email: false, mx_valid: true, free_provider: false },
    factors: [],
    datasets: 'd',
    reasons: [],
  },
});
