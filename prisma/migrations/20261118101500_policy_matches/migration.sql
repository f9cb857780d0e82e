-- How many checks each rule of a policy matched, by UTC day. The statement that stores checks adds to it, so a page that shows the
-- effect of a rule reads a few rows instead of a week of checks.
CREATE TABLE "policy_matches" (
  "account_id" TEXT NOT NULL,
  "day" DATE NOT NULL,
  "version" INTEGER NOT NULL,
  "rule" SMALLINT NOT NULL,
  "checks" BIGINT NOT NULL,
  PRIMARY KEY ("account_id", "day", "version", "rule")
);
CREATE INDEX "policy_matches_day_idx" ON "policy_matches" ("day");
