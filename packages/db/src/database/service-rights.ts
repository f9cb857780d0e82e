/** Services with their own Postgres role. The migrating role owns the schema; the billing team has `billing_reader`. */
export const SERVICE_ROLES = ['control_plane', 'worker', 'operator'] as const;
export type ServiceRole = (typeof SERVICE_ROLES)[number];

export interface ServiceRights {
  /** Arguments of GRANT by table of `public`. A right on some columns names them; a lock needs UPDATE of one. */
  readonly tables: Readonly<Record<string, string>>;
  /** Functions that run with the rights of the owner. */
  readonly functions: readonly string[];
}

const ALL = 'SELECT, INSERT, UPDATE, DELETE';
const NEW_USER = 'id, account_id, email, mailbox, name, password_hash, email_verified_at';
const ENQUEUE = 'enqueue_webhook_event(text, text, jsonb, text, text)';
const REVIEW = 'open_review(text, text, text, text, timestamptz)';
const PARTITIONS = 'ensure_check_partitions(date)';
const CLOSE = ['freeze_billing_month(date)', 'state_billing_month(date, text[], boolean)'];
const INVOICE = 'issue_invoices(date, date, text, integer)';
const FORGET_LEFT = 'forget_audit_of(text)';

/**
 * The rights of each service in Postgres. Only the owner changes a table and no role rewrites a statement, an invoice
 * or the plan history; add a line for every new table, because test stacks run with these roles.
 */
export const SERVICE_RIGHTS: Readonly<Record<ServiceRole, ServiceRights>> = {
  // People and what they own. It reads what is billed and writes none of it; operators are made elsewhere.
  control_plane: {
    tables: {
      _prisma_migrations: 'SELECT',
      accounts: ALL,
      // A member who belongs to no other account goes.
      users: `SELECT, INSERT (${NEW_USER}), UPDATE (password_hash, email_verified_at, name, email, mailbox, account_id), DELETE`,
      memberships: ALL,
      invitations: ALL,
      sso_connections: ALL,
      sso_domains: ALL,
      sso_identities: 'SELECT, INSERT',
      operator_identities: 'SELECT, INSERT',
      sessions: ALL,
      mail_tokens: ALL,
      outgoing_mails: 'INSERT',
      second_factors: ALL,
      recovery_codes: 'SELECT, INSERT, DELETE',
      api_keys: 'SELECT, INSERT, UPDATE',
      retired_secrets: 'SELECT, INSERT, UPDATE (expires_at, last_used_at)',
      key_uses: ALL,
      list_entries: 'SELECT, INSERT, DELETE',
      outcomes: 'SELECT, INSERT, UPDATE',
      reviews: 'SELECT, UPDATE (claimed_by, lease, leased_until), DELETE',
      second_looks: 'SELECT',
      listing_changes: 'SELECT',
      revisions: 'SELECT',
      policies: 'SELECT, INSERT',
      policy_backtests: 'SELECT, INSERT, DELETE',
      policy_matches: 'SELECT',
      check_groups: 'SELECT',
      check_group_hours: 'SELECT',
      network_origins: 'SELECT',
      bursts: 'SELECT',
      audit_events: 'SELECT, INSERT',
      plan_changes: 'SELECT, INSERT, UPDATE (applied_at, withdrawn_at)',
      plan_requests: 'SELECT, INSERT, UPDATE (status, decided_by, decided_at, reason)',
      // The part of a profile that customers write themselves.
      billing_profiles:
        'SELECT, INSERT (account_id, name, address, tax_id, contact, country, po_number), UPDATE (name, address, tax_id, contact, country, po_number, updated_at)',
      spending_limits: 'SELECT, INSERT, UPDATE (checks_cap, mail_at)',
      account_terms: 'SELECT',
      billing_periods: 'SELECT',
      statements: 'SELECT',
      invoices: 'SELECT',
      unissued_invoices: 'SELECT',
      manual_adjustments: 'SELECT',
      usage_hourly: 'SELECT',
      usage_tags: 'SELECT',
      usage_adjustments: 'SELECT',
      check_logs: 'SELECT',
      test_check_logs: 'SELECT',
      refused_requests: ALL,
      check_subjects: 'SELECT, DELETE',
      observations: 'SELECT',
      webhook_endpoints: ALL,
      hooks: ALL,
      webhook_events: 'SELECT, INSERT',
      webhook_deliveries: 'SELECT, INSERT, UPDATE',
      webhook_attempts: 'SELECT',
      bulk_jobs: ALL,
      bulk_files: 'SELECT, INSERT, DELETE',
      bulk_rows: 'SELECT, INSERT, DELETE',
      bulk_addresses: 'SELECT, INSERT, DELETE',
    },
    functions: [ENQUEUE, FORGET_LEFT],
  },
  // Checks and counts. It may know whether an address is registered, but no password or key hash.
  worker: {
    tables: {
      _prisma_migrations: 'SELECT',
      accounts: 'SELECT',
      outcomes: 'SELECT, UPDATE (note, history), DELETE',
      reviews: 'SELECT, DELETE',
      second_looks: 'SELECT, INSERT, UPDATE',
      second_look_checks: 'SELECT, INSERT, DELETE',
      listing_changes: 'SELECT, INSERT',
      revisions: 'SELECT, INSERT, DELETE',
      policies: 'SELECT, DELETE',
      policy_backtests: 'SELECT, UPDATE, DELETE',
      policy_matches: 'SELECT, INSERT, UPDATE (checks), DELETE',
      check_groups: 'SELECT, INSERT, DELETE',
      check_group_hours: 'SELECT, INSERT, UPDATE (checks, doubted, cut), DELETE',
      network_origins: 'SELECT, INSERT, UPDATE (country, asn, told_at), DELETE',
      bursts: 'SELECT, INSERT, UPDATE (ended_at, allow, challenge, review, block, examples), DELETE',
      users: 'SELECT (id, account_id, email, email_verified_at, created_at)',
      memberships: 'SELECT',
      api_keys: 'SELECT (id, account_id, last_used_at), UPDATE (last_used_at)',
      outgoing_mails: 'SELECT, INSERT, UPDATE (tries, next_try_at, last_error), DELETE',
      audit_events: 'INSERT',
      plan_changes: 'SELECT',
      account_terms: 'SELECT',
      // Locked while checks are counted; closing a month is a function's.
      billing_periods: 'SELECT, UPDATE (closed_at, reconciled_to)',
      statements: 'SELECT',
      invoices: 'SELECT, UPDATE (mailed_at, reminded_at)',
      unissued_invoices: 'SELECT',
      legal_entities: 'SELECT',
      manual_adjustments: 'SELECT',
      billing_profiles: 'SELECT (account_id, tax_rate, contact)',
      spending_limits: 'SELECT, UPDATE (told_month, told_checks)',
      usage_hourly: 'SELECT, INSERT, UPDATE (checks), DELETE',
      usage_tags: 'SELECT, INSERT, UPDATE (checks), DELETE',
      usage_adjustments: 'SELECT, INSERT',
      counter_corrections: 'SELECT, INSERT, DELETE',
      check_logs: 'SELECT, INSERT',
      test_check_logs: 'SELECT, INSERT, DELETE',
      check_subjects: 'SELECT, INSERT, DELETE',
      observations: 'SELECT, INSERT, UPDATE',
      webhook_endpoints:
        'SELECT, UPDATE (status, disabled_reason, disabled_at, failures, failing_since, paused_until, places)',
      webhook_events: 'SELECT, DELETE',
      webhook_deliveries: 'SELECT, UPDATE',
      webhook_attempts: 'SELECT, INSERT, DELETE',
      bulk_jobs: 'SELECT, UPDATE, DELETE',
      bulk_files: 'SELECT (job_id), DELETE',
      bulk_rows: 'SELECT, DELETE',
      bulk_addresses: 'SELECT, UPDATE, DELETE',
    },
    functions: [
      ENQUEUE,
      REVIEW,
      PARTITIONS,
      'drop_check_subjects(date)',
      'drop_archived_checks(date, date[], bigint[], text[], text)',
      ...CLOSE,
      INVOICE,
      'forget_audit_ips(timestamptz)',
    ],
  },
  // The operator's command line, but for what needs the owner: migrate, backup, restore, and facts archive and restore.
  operator: {
    tables: {
      _prisma_migrations: 'SELECT',
      accounts: ALL,
      users: `SELECT, INSERT (${NEW_USER}), UPDATE (password_hash, email_verified_at, operator, operator_role, account_id)`,
      memberships: 'SELECT, INSERT',
      invitations: 'SELECT, DELETE',
      sso_connections: 'SELECT, UPDATE (client_secret)',
      sso_domains: 'SELECT, UPDATE (proven_at)',
      sessions: 'SELECT, UPDATE (revoked_at)',
      mail_tokens: 'SELECT, DELETE',
      second_factors: 'SELECT, UPDATE (sealed), DELETE',
      recovery_codes: 'SELECT, DELETE',
      // Seals secrets again after SECRETS_KEY was changed.
      webhook_endpoints: 'SELECT (id, secret, old_secret), UPDATE (secret, old_secret)',
      hooks: 'SELECT (id, secret), UPDATE (secret)',
      api_keys: 'SELECT, UPDATE (status, revoked_at, cost_centre)',
      retired_secrets: 'SELECT',
      // Takes an address out of what happened when the person is erased.
      audit_events: 'SELECT, INSERT, UPDATE (details)',
      operator_events: 'SELECT, INSERT',
      plan_changes: 'SELECT, INSERT, UPDATE (applied_at, withdrawn_at)',
      plan_requests: 'SELECT, UPDATE (status, decided_by, decided_at, reason)',
      legal_entities: 'SELECT, INSERT, UPDATE',
      billing_profiles: 'SELECT, INSERT, UPDATE',
      account_terms: 'SELECT, INSERT',
      billing_periods: 'SELECT, UPDATE (closed_at)',
      manual_adjustments: 'SELECT, INSERT',
      statements: 'SELECT',
      invoices: 'SELECT, UPDATE (paid_on, payment_ref)',
      unissued_invoices: 'SELECT',
      usage_hourly: 'SELECT, INSERT, UPDATE (checks), DELETE',
      usage_tags: 'SELECT, INSERT, UPDATE (checks), DELETE',
      usage_adjustments: 'SELECT, INSERT',
      counter_corrections: 'SELECT, INSERT, DELETE',
      check_logs: 'SELECT',
      test_check_logs: 'SELECT',
      check_subjects: 'SELECT, DELETE',
      list_entries: 'SELECT',
      outcomes: 'SELECT, DELETE',
      check_groups: 'SELECT, DELETE',
      bursts: 'SELECT, DELETE',
      reviews: 'SELECT, DELETE',
      second_looks: 'SELECT, UPDATE (status, allowed, leased_until, tries)',
      listing_changes: 'SELECT',
      revisions: 'SELECT, DELETE',
      usage_exports: 'SELECT, INSERT',
      usage_events: 'SELECT, INSERT',
      erasures: 'SELECT, INSERT',
      observations: 'SELECT, INSERT, UPDATE',
      bulk_jobs: 'SELECT',
      bulk_files: 'SELECT (job_id), DELETE',
      bulk_rows: 'SELECT, UPDATE (cells), DELETE',
      bulk_addresses: 'SELECT, UPDATE (hash, email, reasons, unknown), DELETE',
    },
    functions: [
      ENQUEUE,
      PARTITIONS,
      ...CLOSE,
      INVOICE,
      'credit_invoice(text, bigint, bigint, text, text, date)',
      FORGET_LEFT,
    ],
  },
};
