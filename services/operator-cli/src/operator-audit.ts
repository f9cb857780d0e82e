import { randomFillSync } from 'node:crypto';
import type { Audit } from '@verdict/db/accounts/audited.js';
import { type CreateId, createIdFactory } from '@verdict/domain/id.js';
import { operator } from './config.js';

export const createId: CreateId = createIdFactory(Date.now, (bytes) => void randomFillSync(bytes));

/** An operator's action, for the audit log of the account. */
export const operatorAudit = (
  action: string,
  target: string,
  details: Readonly<Record<string, unknown>> = {},
): Audit => ({
  id: createId('aud'),
  userId: null,
  ip: null,
  requestId: null,
  action,
  target,
  details: { ...details, by: operator() },
});
