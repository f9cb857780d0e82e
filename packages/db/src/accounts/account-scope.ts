import { createInvoiceReading } from '../billing/invoices.js';
import { createSpendingLimits } from '../billing/spending-limits.js';
import { createStatementReading } from '../billing/statement-reading.js';
import { createSubscription } from '../billing/subscription.js';
import { createUsageReading } from '../billing/usage-reading.js';
import { createBulkJobs } from '../bulk/bulk-jobs.js';
import { createBurstReading } from '../bursts/burst-reading.js';
import { createLogReading } from '../checks/log-reading.js';
import { createRefusedReading } from '../checks/refused-requests.js';
import type { Database } from '../database/client.js';
import { createSubjectErasures } from '../erasure/subject-erasures.js';
import { createHooks } from '../hooks/hooks.js';
import { createApiKeys } from '../keys/api-keys.js';
import { createKeyNetworks } from '../keys/key-uses.js';
import { createListEntries } from '../lists/list-entries.js';
import { createOutcomes } from '../outcomes/outcomes.js';
import { createInvitations } from '../people/invitations.js';
import { createMembers } from '../people/members.js';
import { createBacktests } from '../policies/backtests.js';
import { createPolicies } from '../policies/policies.js';
import { createReviews } from '../reviews/reviews.js';
import { createRevisions } from '../revisions/revisions.js';
import { createSsoConnection } from '../sso/sso-connection.js';
import { createWebhookDeliveries } from '../webhooks/webhook-deliveries.js';
import { createWebhookEndpoints } from '../webhooks/webhook-endpoints.js';
import { createAccountSettings } from './account-settings.js';
import { createAuditEvents } from './audit-events.js';

export type AccountScope = ReturnType<typeof forAccount>;

/**
 * The one place where a request's account is fixed. Routes get this and never the database itself, so a query without
 * its account cannot be written by forgetting something: another account's id finds nothing. Reads of a month of rows are in
 * `searchesOf`.
 */
export function forAccount(db: Database, accountId: string) {
  return {
    id: accountId,
    keys: createApiKeys(db, accountId),
    keyNetworks: createKeyNetworks(db, accountId),
    lists: createListEntries(db, accountId),
    policies: createPolicies(db, accountId),
    backtests: createBacktests(db, accountId),
    logs: createLogReading(db, accountId),
    bursts: createBurstReading(db, accountId),
    outcomes: createOutcomes(db, accountId),
    reviews: createReviews(db, accountId),
    erasures: createSubjectErasures(db, accountId),
    revisions: createRevisions(db, accountId),
    refused: createRefusedReading(db, accountId),
    usage: createUsageReading(db, accountId),
    subscription: createSubscription(db, accountId),
    spending: createSpendingLimits(db, accountId),
    statements: createStatementReading(db, accountId),
    invoices: createInvoiceReading(db, accountId),
    jobs: createBulkJobs(db, accountId),
    settings: createAccountSettings(db, accountId),
    audit: createAuditEvents(db, accountId),
    endpoints: createWebhookEndpoints(db, accountId),
    deliveries: createWebhookDeliveries(db, accountId),
    hooks: createHooks(db, accountId),
    members: createMembers(db, accountId),
    invitations: createInvitations(db, accountId),
    sso: createSsoConnection(db, accountId),
  };
}
