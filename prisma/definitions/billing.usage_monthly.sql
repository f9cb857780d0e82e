CREATE OR REPLACE VIEW "billing"."usage_monthly" AS
  -- By ranges of hours, which an index finds: a condition on the month reads that month alone.
  SELECT u."account_id", p."month", 'closed'::text AS "period_status",
    sum(u."checks")::bigint AS "checks",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'allow'), 0)::bigint AS "allow",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'challenge'), 0)::bigint AS "challenge",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'review'), 0)::bigint AS "review",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'block'), 0)::bigint AS "block"
  FROM "public"."billing_periods" p JOIN "public"."usage_hourly" u
    ON u."hour" >= p."month"::timestamp AT TIME ZONE 'UTC' AND u."hour" < (p."month" + interval '1 month') AT TIME ZONE 'UTC'
  WHERE p."status" = 'closed'
  GROUP BY 1, 2
  UNION ALL
  -- Months close in their order: the first open one is known before anything is read, so the partitions before it are not.
  SELECT u."account_id", p."month", 'open'::text AS "period_status",
    sum(u."checks")::bigint AS "checks",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'allow'), 0)::bigint AS "allow",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'challenge'), 0)::bigint AS "challenge",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'review'), 0)::bigint AS "review",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'block'), 0)::bigint AS "block"
  FROM "public"."billing_periods" p JOIN "public"."usage_hourly" u
    ON u."hour" >= p."month"::timestamp AT TIME ZONE 'UTC' AND u."hour" < (p."month" + interval '1 month') AT TIME ZONE 'UTC'
  WHERE p."status" = 'open'
    AND u."hour" >= (SELECT min(o."month")::timestamp AT TIME ZONE 'UTC' FROM "public"."billing_periods" o
                     WHERE o."status" = 'open')
  GROUP BY 1, 2;
COMMENT ON VIEW "billing"."usage_monthly" IS 'Checks by account and month';
COMMENT ON COLUMN "billing"."usage_monthly"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_monthly"."month" IS 'First day of the month, UTC';
COMMENT ON COLUMN "billing"."usage_monthly"."period_status" IS 'open: may still grow; closed: final';
COMMENT ON COLUMN "billing"."usage_monthly"."checks" IS 'All of them';
COMMENT ON COLUMN "billing"."usage_monthly"."allow" IS 'Checks decided allow';
COMMENT ON COLUMN "billing"."usage_monthly"."challenge" IS 'Checks decided challenge';
COMMENT ON COLUMN "billing"."usage_monthly"."review" IS 'Checks decided review';
COMMENT ON COLUMN "billing"."usage_monthly"."block" IS 'Checks decided block';
