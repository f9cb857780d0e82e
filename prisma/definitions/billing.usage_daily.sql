CREATE OR REPLACE VIEW "billing"."usage_daily" AS
  -- The day is the expression of an index, so a condition on it reads that day alone.
  SELECT u."account_id", u."key_id", (u."hour" AT TIME ZONE 'UTC')::date AS "day", u."decision", sum(u."checks")::bigint AS "checks"
  FROM "public"."usage_hourly" u
  GROUP BY 1, 2, 3, 4;
COMMENT ON VIEW "billing"."usage_daily" IS 'The same by day';
COMMENT ON COLUMN "billing"."usage_daily"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_daily"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."usage_daily"."day" IS 'Day, UTC';
COMMENT ON COLUMN "billing"."usage_daily"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."usage_daily"."checks" IS 'How many';
