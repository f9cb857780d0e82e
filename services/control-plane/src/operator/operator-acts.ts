import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import type { Audit } from '@verdict/db/accounts/audited.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { type AuditAction, auditOf } from '../http/audit-of.js';

/** The name of an operator in the history of a customer's account. */
export const operatorName = (request: FastifyRequest): string => `operator:${request.caller.userId}`;

/** The event in the customer's log: that an operator did it, not who and from where. */
export const customersAudit = (
  { createId }: Pick<Dependencies, 'createId'>,
  request: FastifyRequest,
  what: { action: AuditAction; target: string; details?: Readonly<Record<string, unknown>> },
): Audit => ({
  ...auditOf(createId, request, { ...what, details: { ...what.details, by: 'operator' } }),
  userId: null,
  ip: null,
});

/** The event in the operator's own log, whatever was done: who, what, to whom, from where. */
export async function noteAct(
  { db, createId }: Pick<Dependencies, 'db' | 'createId'>,
  request: FastifyRequest,
  action: AuditAction,
  target: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await appendAudit(db, request.caller.account.id, auditOf(createId, request, { action, target, details }));
}
