CREATE OR REPLACE VIEW "billing"."usage_daily" AS
  SELECT "account_id", "key_id", ("hour" AT TIME ZONE 'UTC')::date AS "day", "decision", sum("checks")::bigint AS "checks"
  FROM "public"."usage_hourly" GROUP BY 1, 2, 3, 4;
COMMENT ON VIEW "billing"."usage_daily" IS 'The same by day';
COMMENT ON COLUMN "billing"."usage_daily"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_daily"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."usage_daily"."day" IS 'Day, UTC';
COMMENT ON COLUMN "billing"."usage_daily"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."usage_daily"."checks" IS 'How many';
