-- Rollups by month, as checks are: a month is read, vacuumed and let go without the others. The table there was becomes the
-- first month.
ALTER TABLE "usage_hourly" RENAME TO "usage_hourly_first";
ALTER INDEX "usage_hourly_pkey" RENAME TO "usage_hourly_first_pkey";
ALTER INDEX "usage_hourly_hour_idx" RENAME TO "usage_hourly_first_hour_idx";
CREATE TABLE "usage_hourly" (
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(0) NOT NULL,
  "decision" TEXT NOT NULL,
  "checks" BIGINT NOT NULL,
  PRIMARY KEY ("account_id", "hour", "key_id", "decision")
) PARTITION BY RANGE ("hour");
CREATE INDEX "usage_hourly_hour_idx" ON "usage_hourly" ("hour");

DO $$
DECLARE
  "months" DATE[] := ARRAY(
    SELECT "month" FROM "billing_periods"
    UNION SELECT DISTINCT date_trunc('month', "hour" AT TIME ZONE 'UTC')::date FROM "usage_hourly_first" ORDER BY 1);
  "month" DATE;
  "name" TEXT := 'usage_hourly_' || to_char("months"[1], 'YYYY_MM');
BEGIN
  FOREACH "month" IN ARRAY "months"[2:] LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF "usage_hourly" FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 50)',
      'usage_hourly_' || to_char("month", 'YYYY_MM'), "month"::text || ' 00:00:00+00',
      ("month" + interval '1 month')::date::text || ' 00:00:00+00');
  END LOOP;
  WITH "moved" AS (
    DELETE FROM "usage_hourly_first" WHERE "hour" >= ("months"[1] + interval '1 month') AT TIME ZONE 'UTC' RETURNING *
  ) INSERT INTO "usage_hourly" SELECT * FROM "moved";
  EXECUTE format('ALTER TABLE "usage_hourly_first" RENAME TO %I', "name");
  EXECUTE format('ALTER INDEX "usage_hourly_first_pkey" RENAME TO %I', "name" || '_pkey');
  EXECUTE format('ALTER INDEX "usage_hourly_first_hour_idx" RENAME TO %I', "name" || '_hour_idx');
  EXECUTE format('ALTER TABLE "usage_hourly" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name",
    "months"[1]::text || ' 00:00:00+00', ("months"[1] + interval '1 month')::date::text || ' 00:00:00+00');
  -- The views still show the first month alone: they are defined again after this.
  IF to_regclass('"definitions"."applied"') IS NOT NULL THEN
    DELETE FROM "definitions"."applied" a WHERE a."name" LIKE 'billing.usage\_%';
  END IF;
END $$;
