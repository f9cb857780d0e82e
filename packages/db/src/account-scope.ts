import { createApiKeys } from './api-keys.js';
import { createAuditEvents } from './audit-events.js';
import { createBulkJobs } from './bulk-jobs.js';
import type { Database } from './client.js';
import { createInvoiceReading } from './invoices.js';
import { createListEntries } from './list-entries.js';
import { createListImpact } from './list-impact.js';
import { createLogReading } from './log-reading.js';
import { createStatementReading } from './statement-reading.js';
import { createSubscription } from './subscription.js';
import { createUsageReading } from './usage-reading.js';
import { createWebhookDeliveries } from './webhook-deliveries.js';
import { createWebhookEndpoints } from './webhook-endpoints.js';

export type AccountScope = ReturnType<typeof forAccount>;

/**
 * The one place where a request's account is fixed. Routes get this and never the database itself, so a query without
 * its account cannot be written by forgetting something: another account's id finds nothing.
 */
export function forAccount(db: Database, accountId: string) {
  return {
    id: accountId,
    keys: createApiKeys(db, accountId),
    lists: createListEntries(db, accountId),
    impact: createListImpact(db, accountId),
    logs: createLogReading(db, accountId),
    usage: createUsageReading(db, accountId),
    subscription: createSubscription(db, accountId),
    statements: createStatementReading(db, accountId),
    invoices: createInvoiceReading(db, accountId),
    jobs: createBulkJobs(db, accountId),
    audit: createAuditEvents(db, accountId),
    endpoints: createWebhookEndpoints(db, accountId),
    deliveries: createWebhookDeliveries(db, accountId),
  };
}
