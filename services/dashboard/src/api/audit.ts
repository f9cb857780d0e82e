import type { AuditReplySchema } from '@verdict/contracts/dashboard/audit-api.js';
import type { AuditSubject } from '@verdict/contracts/dashboard/audit-subjects.js';
import type { Static } from 'typebox';
import { pagedQuery } from './paged-query.ts';

type AuditPage = Static<typeof AuditReplySchema>;
export type AuditEvent = AuditPage['events'][number];

export const auditQuery = (subject: AuditSubject | undefined) =>
  pagedQuery<AuditPage>(['audit', subject ?? ''], '/dashboard/audit/', { subject });
