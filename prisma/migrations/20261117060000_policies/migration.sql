-- Rules of an account's own, numbered and immutable, and the facts of a check that they may ask about.
-- They outlive their account for a while: its last checks may still wait to be stored.
-- All columns of checks are nullable without a default, so that no partition is rewritten.
CREATE TABLE "policies" (
  "account_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "rules" JSONB NOT NULL,
  "note" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "created_by" TEXT,

  CONSTRAINT "policies_pkey" PRIMARY KEY ("account_id", "version")
);
ALTER TABLE "accounts" ADD COLUMN "policy_live" INTEGER, ADD COLUMN "policy_shadow" INTEGER;
ALTER TABLE "bulk_jobs" ADD COLUMN "policy_version" INTEGER;
ALTER TABLE "check_logs"
  ADD COLUMN "policy_version" INTEGER,
  ADD COLUMN "policy_rule" SMALLINT,
  ADD COLUMN "extra" TEXT[],
  ADD COLUMN "seen" SMALLINT[],
  ADD COLUMN "ip_kind" TEXT,
  ADD COLUMN "shadow" JSONB;
ALTER TABLE "test_check_logs"
  ADD COLUMN "policy_version" INTEGER,
  ADD COLUMN "policy_rule" SMALLINT,
  ADD COLUMN "extra" TEXT[],
  ADD COLUMN "seen" SMALLINT[],
  ADD COLUMN "ip_kind" TEXT,
  ADD COLUMN "shadow" JSONB;
