import type { Audit } from '@verdict/db/accounts/audited.js';
import type { OutgoingMail } from '@verdict/db/people/outgoing-mails.js';
import type { CreateId } from '@verdict/domain/id.js';
import type { FastifyRequest } from 'fastify';

export type AuditAction =
  | 'user.registered'
  | 'user.logged_in'
  | 'user.logged_out'
  | 'user.password_set'
  | 'user.password_reset'
  | 'user.address_confirmed'
  | 'user.email_changed'
  | 'user.name_set'
  | 'billing.address_set'
  | 'billing.limits_set'
  | 'user.second_factor_on'
  | 'user.second_factor_off'
  | 'user.recovery_codes_made'
  | 'user.codes_guessed'
  | 'session.reuse_detected'
  | 'session.ended'
  | 'session.others_ended'
  | 'account.suspended'
  | 'account.resumed'
  | 'account.deleted'
  | 'account.exported'
  | 'subject.exported'
  | 'subject.erased'
  | 'account.settings_changed'
  | 'member.invited'
  | 'member.invitation_withdrawn'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.left'
  | 'session.switched'
  | 'sso.set'
  | 'sso.domain_proven'
  | 'sso.removed'
  | 'sso.connected'
  | 'hook.created'
  | 'hook.updated'
  | 'hook.deleted'
  | 'key.created'
  | 'key.updated'
  | 'key.rolled'
  | 'key.old_value_ended'
  | 'key.revoked'
  | 'list.added'
  | 'list.imported'
  | 'list.removed'
  | 'policy.created'
  | 'policy.live_set'
  | 'policy.shadow_set'
  | 'subscription.changed'
  | 'subscription.requested'
  | 'subscription.granted'
  | 'subscription.refused'
  | 'operator.plan_set'
  | 'operator.account_suspended'
  | 'operator.account_resumed'
  | 'operator.reset_sent'
  | 'operator.plan_granted'
  | 'operator.plan_refused'
  | 'operator.statements_exported'
  | 'operator.invoices_exported'
  | 'operator.report_read'
  | 'subscription.request_withdrawn'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.rolled'
  | 'webhook.replayed'
  | 'webhook.deleted'
  | 'job.created'
  | 'job.started'
  | 'job.paused'
  | 'job.canceled'
  | 'job.deleted';

interface What {
  readonly action: AuditAction;
  readonly target?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** When the request is not yet authenticated. */
  readonly userId?: string | null;
  /** The mail about it. */
  readonly mail?: OutgoingMail;
}

/** Author, action, time and origin, for the audit log. */
export const auditOf = (createId: CreateId, request: FastifyRequest, what: What): Audit => ({
  id: createId('aud'),
  userId: what.userId ?? request.authenticated?.userId ?? null,
  ip: request.ip,
  requestId: request.id,
  action: what.action,
  target: what.target ?? null,
  details: { ...what.details, ...keyOf(request) },
  ...(what.mail && { mail: what.mail }),
});

/** Which key it was, where no person is known. */
const keyOf = ({ authenticated: by }: FastifyRequest): { key_id?: string } =>
  by && 'keyId' in by && by.keyId && by.userId === null ? { key_id: by.keyId } : {};
