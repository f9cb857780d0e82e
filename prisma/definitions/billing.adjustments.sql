CREATE OR REPLACE VIEW "billing"."adjustments" AS
  SELECT "id", "account_id", "key_id", date_trunc('month', "hour" AT TIME ZONE 'UTC')::date AS "usage_month", "hour",
    "decision", "checks", "reason", "created_at", "billed_month"
  FROM "public"."usage_adjustments";
COMMENT ON VIEW "billing"."adjustments" IS 'Checks that were counted after their month had been closed';
COMMENT ON COLUMN "billing"."adjustments"."id" IS 'Rises';
COMMENT ON COLUMN "billing"."adjustments"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."adjustments"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."adjustments"."usage_month" IS 'The month in which the checks were made';
COMMENT ON COLUMN "billing"."adjustments"."hour" IS 'Start of the hour, UTC';
COMMENT ON COLUMN "billing"."adjustments"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."adjustments"."checks" IS 'How many; may be negative';
COMMENT ON COLUMN "billing"."adjustments"."reason" IS 'late: arrived after closing; reconciled: a correction';
COMMENT ON COLUMN "billing"."adjustments"."created_at" IS 'When it was found';
COMMENT ON COLUMN "billing"."adjustments"."billed_month" IS 'Whose statement carries it; null: the next one will';
