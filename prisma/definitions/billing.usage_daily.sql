CREATE OR REPLACE VIEW "billing"."usage_daily" AS
  SELECT u."account_id", u."key_id", d."day", u."decision", sum(u."checks")::bigint AS "checks"
  -- By ranges of hours, which an index finds: a condition on the day reads that day alone.
  FROM (SELECT generate_series((min("hour") AT TIME ZONE 'UTC')::date, (max("hour") AT TIME ZONE 'UTC')::date,
          interval '1 day')::date AS "day" FROM "public"."usage_hourly") d
  JOIN "public"."usage_hourly" u
    ON u."hour" >= d."day"::timestamp AT TIME ZONE 'UTC' AND u."hour" < (d."day" + 1)::timestamp AT TIME ZONE 'UTC'
  GROUP BY 1, 2, 3, 4;
COMMENT ON VIEW "billing"."usage_daily" IS 'The same by day';
COMMENT ON COLUMN "billing"."usage_daily"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_daily"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."usage_daily"."day" IS 'Day, UTC';
COMMENT ON COLUMN "billing"."usage_daily"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."usage_daily"."checks" IS 'How many';
