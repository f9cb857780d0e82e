import { randomBytes } from 'node:crypto';
import type { CheckLog, LoggedVerdict } from '@verdict/contracts/check-log-job.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';

export const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));

const VERDICT: LoggedVerdict = {
  decision: 'allow',
  risk_score: 5,
  signals: { disposable_email: false, mx_valid: true, free_provider: false },
  reasons: ['The domain has mail servers'],
  factors: [{ code: 'MX_VALID', points: 5 }],
  datasets: '2026-11-01/2026-11-01/2026-11-01',
};

/** A well-formed check log; every one has an id of its own. */
export const checkLog = ({
  verdict,
  ...fields
}: Partial<Omit<CheckLog, 'verdict'>> & { verdict?: Partial<LoggedVerdict> } = {}): CheckLog => ({
  id: createId('log'),
  account_id: 'acc_1',
  key_id: 'key_1',
  email: 'Jane@Example.com',
  ip: '203.0.113.7',
  request_id: createId('req'),
  created_at: formatCreatedAt(Date.now() * 1000 + Math.floor(Math.random() * 1000)),
  ...fields,
  verdict: verdict ? { ...VERDICT, ...verdict } : VERDICT,
});
