-- Makes the partitions of a month, and its billing period: without its row there would be nothing to lock while checks are
-- counted.
CREATE OR REPLACE FUNCTION "ensure_check_partitions"("month" DATE) RETURNS VOID LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "first" DATE := date_trunc('month', "month")::date;
  "next" DATE := (date_trunc('month', "month") + interval '1 month')::date;
  "suffix" TEXT := to_char("first", 'YYYY_MM');
  "is_new" BOOLEAN;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_check_partitions'));
  "is_new" := to_regclass('check_logs_' || "suffix") IS NULL;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "check_logs" FOR VALUES FROM (%L) TO (%L)',
    'check_logs_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
  -- One row per id and month, even when two workers store it at the same time. The parent cannot have it, because its
  -- unique indexes must hold the moment.
  IF "is_new" THEN
    EXECUTE format('CREATE UNIQUE INDEX %I ON %I ("id")', 'check_logs_' || "suffix" || '_one_row_per_id', 'check_logs_' || "suffix");
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "check_subjects" FOR VALUES FROM (%L) TO (%L)',
    'check_subjects_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
  -- Half empty pages: each row is updated often in its hour, and stays in its page.
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "usage_hourly" FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 50)',
    'usage_hourly_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
  INSERT INTO "billing_periods" ("month") VALUES ("first") ON CONFLICT DO NOTHING;
END $$;
REVOKE EXECUTE ON FUNCTION "ensure_check_partitions"(DATE) FROM PUBLIC;
