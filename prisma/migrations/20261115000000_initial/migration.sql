-- Customers and what they own -------------------------------------------------------------------------------------

CREATE TABLE "accounts" (
  "id" TEXT PRIMARY KEY,
  "name" TEXT NOT NULL,
  "plan" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "projected_version" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- The outbox: accounts whose newest version has not reached Redis yet.
CREATE INDEX "accounts_unprojected_idx" ON "accounts" ("id") WHERE "projected_version" < "version";

CREATE TABLE "users" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "email" TEXT NOT NULL,
  "name" TEXT,
  "password_hash" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");
CREATE INDEX "users_account_id_idx" ON "users" ("account_id");

CREATE TABLE "sessions" (
  "id" TEXT PRIMARY KEY,
  "user_id" TEXT NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "token_hash" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "revoked_at" TIMESTAMPTZ(6)
);
CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id");

CREATE TABLE "api_keys" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "last_four" TEXT NOT NULL,
  "secret_hash" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'inactive', 'revoked')),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(6),
  "revoked_at" TIMESTAMPTZ(6)
);
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys" ("secret_hash");
CREATE INDEX "api_keys_account_id_idx" ON "api_keys" ("account_id");

CREATE TABLE "retired_secrets" (
  "secret_hash" TEXT PRIMARY KEY,
  "key_id" TEXT NOT NULL REFERENCES "api_keys" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "expires_at" TIMESTAMPTZ(6) NOT NULL
);
CREATE INDEX "retired_secrets_key_id_idx" ON "retired_secrets" ("key_id");

CREATE TABLE "list_entries" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "list" TEXT NOT NULL CHECK ("list" IN ('allow', 'block')),
  "kind" TEXT NOT NULL CHECK ("kind" IN ('address', 'domain', 'ip')),
  "value" TEXT NOT NULL,
  "note" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX "list_entries_account_id_value_key" ON "list_entries" ("account_id", "value");
CREATE INDEX "list_entries_account_id_list_created_at_id_idx" ON "list_entries" ("account_id", "list", "created_at", "id");

CREATE TABLE "audit_events" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "user_id" TEXT,
  "action" TEXT NOT NULL,
  "target" TEXT,
  "details" JSONB NOT NULL DEFAULT '{}',
  "ip" TEXT,
  "request_id" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "audit_events_account_id_created_at_id_idx" ON "audit_events" ("account_id", "created_at", "id");

-- Checks ----------------------------------------------------------------------------------------------------------

-- A log id is made once and always travels with the same created_at, so (id, created_at) recognises a redelivered
-- check although Postgres wants the partition key inside the primary key.
CREATE TABLE "check_logs" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "decision" TEXT NOT NULL CHECK ("decision" IN ('allow', 'challenge', 'review', 'block')),
  "risk_score" SMALLINT NOT NULL CHECK ("risk_score" BETWEEN 0 AND 100),
  "signals" JSONB NOT NULL,
  "factors" JSONB NOT NULL,
  "datasets" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY ("id", "created_at")
) PARTITION BY RANGE ("created_at");
CREATE INDEX "check_logs_account_id_created_at_id_idx" ON "check_logs" ("account_id", "created_at", "id");

CREATE TABLE "check_subjects" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "email" TEXT,
  "domain" TEXT NOT NULL,
  "email_hash" TEXT NOT NULL,
  "ip" TEXT,
  "reasons" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY ("id", "created_at")
) PARTITION BY RANGE ("created_at");
CREATE INDEX "check_subjects_email_hash_idx" ON "check_subjects" ("email_hash");
CREATE INDEX "check_subjects_account_id_domain_created_at_idx" ON "check_subjects" ("account_id", "domain", "created_at");

-- Makes the partitions of one month if they are missing. Called ahead of time by the worker's schedule, and by the
-- persisting statement's caller for a month nobody foresaw, so a row never lacks a home.
CREATE FUNCTION "ensure_check_partitions"("month" DATE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  "first" DATE := date_trunc('month', "month")::date;
  "next" DATE := (date_trunc('month', "month") + interval '1 month')::date;
  "suffix" TEXT := to_char("first", 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_check_partitions'));
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "check_logs" FOR VALUES FROM (%L) TO (%L)',
    'check_logs_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "check_subjects" FOR VALUES FROM (%L) TO (%L)',
    'check_subjects_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
END $$;

SELECT "ensure_check_partitions"((now() AT TIME ZONE 'UTC')::date);
SELECT "ensure_check_partitions"(((now() AT TIME ZONE 'UTC') + interval '1 month')::date);

CREATE TABLE "usage_hourly" (
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(0) NOT NULL,
  "decision" TEXT NOT NULL,
  "checks" BIGINT NOT NULL,
  PRIMARY KEY ("account_id", "hour", "key_id", "decision")
);
CREATE INDEX "usage_hourly_hour_idx" ON "usage_hourly" ("hour");
