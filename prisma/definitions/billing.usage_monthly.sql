CREATE OR REPLACE VIEW "billing"."usage_monthly" AS
  SELECT u."account_id", p."month", p."status" AS "period_status",
    sum(u."checks")::bigint AS "checks",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'allow'), 0)::bigint AS "allow",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'challenge'), 0)::bigint AS "challenge",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'review'), 0)::bigint AS "review",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'block'), 0)::bigint AS "block"
  -- By ranges of hours, which an index finds: a condition on the month reads that month alone.
  FROM "public"."billing_periods" p JOIN "public"."usage_hourly" u
    ON u."hour" >= p."month"::timestamp AT TIME ZONE 'UTC' AND u."hour" < (p."month" + interval '1 month') AT TIME ZONE 'UTC'
  GROUP BY 1, 2, 3;
COMMENT ON VIEW "billing"."usage_monthly" IS 'Checks by account and month';
COMMENT ON COLUMN "billing"."usage_monthly"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_monthly"."month" IS 'First day of the month, UTC';
COMMENT ON COLUMN "billing"."usage_monthly"."period_status" IS 'open: may still grow; closed: final';
COMMENT ON COLUMN "billing"."usage_monthly"."checks" IS 'All of them';
COMMENT ON COLUMN "billing"."usage_monthly"."allow" IS 'Checks decided allow';
COMMENT ON COLUMN "billing"."usage_monthly"."challenge" IS 'Checks decided challenge';
COMMENT ON COLUMN "billing"."usage_monthly"."review" IS 'Checks decided review';
COMMENT ON COLUMN "billing"."usage_monthly"."block" IS 'Checks decided block';
