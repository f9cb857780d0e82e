-- Drops the checks of a month whose days are in files: closed, reconciled, without addresses. Returns the days whose files
-- hold others than the rows (their number, and the least and the greatest id), and then drops nothing.
CREATE OR REPLACE FUNCTION "drop_archived_checks"("p_month" DATE, "p_days" DATE[], "p_rows" BIGINT[], "p_ids" TEXT[], "p_sha256" TEXT)
RETURNS DATE[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = "public", pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  "v_name" TEXT := 'check_logs_' || to_char("p_month", 'YYYY_MM');
  "v_period" "billing_periods"%ROWTYPE;
  "v_differing" DATE[];
BEGIN
  -- Before the table: a late check locks its month first, too.
  SELECT * INTO "v_period" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
  IF "v_period"."archived_at" IS NOT NULL THEN RETURN '{}'; END IF;
  IF "v_period"."stated_at" IS NULL
    OR "v_period"."reconciled_to" IS NULL
    OR "v_period"."reconciled_to" < ("p_month" + interval '1 month') AT TIME ZONE 'UTC'
    OR to_regclass(format('"public".%I', 'check_subjects_' || to_char("p_month", 'YYYY_MM'))) IS NOT NULL THEN
    RAISE EXCEPTION 'the month has to be closed and reconciled, and its addresses gone'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  EXECUTE format('LOCK TABLE "public".%I IN SHARE MODE', "v_name");
  EXECUTE format('SELECT coalesce(array_agg("day" ORDER BY "day"), ''{}'')
    FROM unnest($1, $2, $3) AS f ("day", "rows", "ids")
    FULL JOIN (
      SELECT (l."created_at" AT TIME ZONE ''UTC'')::date AS "day", count(*) AS "rows",
        min(l."id" COLLATE "C") || '' '' || max(l."id" COLLATE "C") AS "ids"
      FROM "public".%I l GROUP BY 1
    ) s USING ("day")
    WHERE f."rows" IS DISTINCT FROM s."rows" OR f."ids" IS DISTINCT FROM s."ids"', "v_name")
    INTO "v_differing" USING "p_days", "p_rows", "p_ids";
  IF cardinality("v_differing") > 0 THEN RETURN "v_differing"; END IF;
  EXECUTE format('DROP TABLE "public".%I', "v_name");
  UPDATE "billing_periods" SET "archived_at" = now(), "archived_sha256" = "p_sha256",
    "archived_rows" = (SELECT coalesce(sum(n), 0) FROM unnest("p_rows") AS n)
  WHERE "month" = "p_month";
  RETURN '{}';
END $$;
REVOKE EXECUTE ON FUNCTION "drop_archived_checks"(DATE, DATE[], BIGINT[], TEXT[], TEXT) FROM PUBLIC;
