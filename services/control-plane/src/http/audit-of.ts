import type { Audit } from '@verdict/db/audited.js';
import type { CreateId } from '@verdict/domain/id.js';
import type { FastifyRequest } from 'fastify';

export type AuditAction =
  | 'user.registered'
  | 'user.logged_in'
  | 'user.logged_out'
  | 'user.password_set'
  | 'session.reuse_detected'
  | 'session.ended'
  | 'session.others_ended'
  | 'key.created'
  | 'key.updated'
  | 'key.rolled'
  | 'key.revoked'
  | 'list.added'
  | 'list.imported'
  | 'list.removed'
  | 'subscription.changed'
  | 'subscription.requested'
  | 'subscription.granted'
  | 'subscription.refused'
  | 'operator.plan_set'
  | 'operator.plan_granted'
  | 'operator.plan_refused'
  | 'operator.statements_exported'
  | 'operator.invoices_exported'
  | 'operator.report_read'
  | 'subscription.request_withdrawn';

interface What {
  readonly action: AuditAction;
  readonly target?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** When the request is not yet authenticated. */
  readonly userId?: string;
}

/** Who, what, when and from where, for the audit log. */
export const auditOf = (createId: CreateId, request: FastifyRequest, what: What): Audit => ({
  id: createId('aud'),
  userId: what.userId ?? request.caller?.userId ?? null,
  ip: request.ip,
  requestId: request.id,
  action: what.action,
  target: what.target ?? null,
  details: what.details ?? {},
});
