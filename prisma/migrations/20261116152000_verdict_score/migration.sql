-- The score of a check before the account's lists. Nullable without a default, so that no partition is rewritten.
ALTER TABLE "check_logs" ADD COLUMN "verdict_score" SMALLINT;
ALTER TABLE "test_check_logs" ADD COLUMN "verdict_score" SMALLINT;
