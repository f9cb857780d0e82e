-- Backtests: stored checks of an account judged again by a version of its policy. Cursor, counts and lease stand in one row, so that a
-- page is counted once whatever dies.
CREATE TABLE "policy_backtests" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "version" INTEGER NOT NULL,
  "from_at" TIMESTAMPTZ(6) NOT NULL,
  "to_at" TIMESTAMPTZ(6) NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'running',
  "lease" INTEGER NOT NULL DEFAULT 0,
  "leased_until" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "cursor_at" TIMESTAMPTZ(6) NOT NULL,
  "cursor_id" TEXT NOT NULL DEFAULT '',
  "total" BIGINT NOT NULL,
  "done" BIGINT NOT NULL DEFAULT 0,
  "result" JSONB,
  "created_by" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(6)
);
CREATE INDEX "policy_backtests_account_id_created_at_idx" ON "policy_backtests" ("account_id", "created_at");
-- An account runs one at a time, and workers find those that run without reading the others.
CREATE UNIQUE INDEX "policy_backtests_running_key" ON "policy_backtests" ("account_id") WHERE "status" = 'running';
