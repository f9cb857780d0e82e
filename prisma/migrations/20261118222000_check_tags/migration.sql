-- The customer's label for a check, and how many checks of a day had it. A check without one stores nothing more.
ALTER TABLE "check_logs" ADD COLUMN "tag" TEXT;
ALTER TABLE "test_check_logs" ADD COLUMN "tag" TEXT;
CREATE TABLE "usage_tags" (
  "account_id" TEXT NOT NULL,
  "tag" TEXT NOT NULL,
  "day" DATE NOT NULL,
  "checks" BIGINT NOT NULL,
  CONSTRAINT "usage_tags_pkey" PRIMARY KEY ("account_id", "tag", "day")
) WITH (fillfactor = 50);
