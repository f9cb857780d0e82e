import type { AuditSubject } from '@verdict/contracts/dashboard/audit-subjects.js';
import type { Reply } from './call.ts';
import { pagedQuery } from './paged-query.ts';

export type AuditEvent = Reply<'GET /dashboard/audit/'>['events'][number];

export const auditQuery = (subject: AuditSubject | undefined) =>
  pagedQuery(['audit', subject ?? ''], 'GET /dashboard/audit/', 'events', {
    query: subject ? { subject } : {},
  });
