/** The subjects of audited actions: the first word of an action. */
export const AUDIT_SUBJECTS = [
  'user',
  'session',
  'account',
  'member',
  'key',
  'list',
  'policy',
  'subscription',
  'billing',
  'webhook',
  'hook',
  'job',
  'operator',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];
