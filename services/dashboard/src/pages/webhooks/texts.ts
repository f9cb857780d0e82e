import type { WebhookDelivery, WebhookEndpoint, WebhookEventType } from '../../api/webhooks.ts';

export const WEBHOOKS_TEXTS = {
  add: 'Add endpoint',
};

/** The state of an endpoint, with the reason when Verdict disabled it. */
const ENDPOINT_STATES: Record<string, string> = {
  enabled: 'enabled',
  user: 'disabled',
  gone: 'disabled: it answered 410',
  failing: 'disabled: five days of failures',
};

export const stateOf = ({ status, disabled_reason: reason }: WebhookEndpoint): string =>
  ENDPOINT_STATES[status === 'enabled' ? 'enabled' : (reason ?? 'user')] ?? 'disabled';

/** Events an endpoint can subscribe to, in the order of the form. */
export const EVENT_TEXTS: Record<WebhookEventType, string> = {
  'quota.warning': '80% or 90% of the month’s checks used',
  'quota.exceeded': 'Over quota',
  'job.completed': 'Bulk job completed',
  'job.paused': 'Bulk job paused',
  'job.failed': 'Bulk job failed',
  'key.created': 'Key created',
  'key.rolled': 'Key rolled',
  'key.revoked': 'Key revoked',
  'statement.closed': 'Statement issued',
  'invoice.issued': 'Invoice or credit note issued',
  'plan.changed': 'Plan changed',
  'policy.changed': 'Policy changed',
  'burst.started': 'Repeated sign-ups began',
  'burst.ended': 'Repeated sign-ups ended',
  'check.blocked': 'Check blocked (high volume)',
  'check.revised': 'Checks revised after a list update',
  'review.opened': 'Check waits for review (high volume)',
  'review.decided': 'Review decided (high volume)',
  'audit.recorded': 'Audit log entry',
};

export const ROLL_TEXTS = {
  title: 'Roll the secret',
  text: 'Creates a new secret. Messages carry both signatures for the time you choose, so you can switch over.',
  overlap: 'Keep signing with the old secret for',
  submit: 'Roll secret',
};

export const DELIVERIES_TEXTS = {
  goneEndpoint: 'deleted',
};

export const DELIVERY_STATES: Record<WebhookDelivery['status'], string> = {
  pending: 'pending',
  delivered: 'delivered',
  failed: 'failed',
};
