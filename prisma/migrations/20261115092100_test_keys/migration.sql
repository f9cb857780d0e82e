-- A test key behaves like any other, and none of its checks is metered.
ALTER TABLE "api_keys"
  ADD COLUMN "mode" TEXT NOT NULL DEFAULT 'live' CHECK ("mode" IN ('live', 'test')),
  ADD CHECK ("mode" = 'live' OR "monthly_quota" IS NULL);

-- Checks of test keys. A table of its own: nothing that counts, bills or reconciles has to know that there are such
-- checks. Whom they were about lies in check_subjects with everybody else, so that erasure and retention find it.
CREATE TABLE "test_check_logs" (
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "decision" TEXT NOT NULL CHECK ("decision" IN ('allow', 'challenge', 'review', 'block')),
  "risk_score" SMALLINT NOT NULL CHECK ("risk_score" BETWEEN 0 AND 100),
  "signals" JSONB NOT NULL,
  "factors" JSONB NOT NULL,
  "datasets" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL
);
CREATE INDEX "test_check_logs_account_id_created_at_id_idx" ON "test_check_logs" ("account_id", "created_at", "id");
CREATE INDEX "test_check_logs_created_at_idx" ON "test_check_logs" ("created_at");
