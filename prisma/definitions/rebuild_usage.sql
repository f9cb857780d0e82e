-- Makes the rollups of a month agree with its logs: an open month is counted anew, of a closed one the difference becomes an
-- adjustment. A closed month whose rollups no longer add up to the statement made from them is left alone, because the bill
-- may well be right. Returns how many cells were corrected.
CREATE OR REPLACE FUNCTION "rebuild_usage"("p_month" DATE) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "v_status" TEXT;
  "v_archived" TIMESTAMPTZ;
  "v_start" TIMESTAMPTZ := "p_month"::timestamp AT TIME ZONE 'UTC';
  "v_end" TIMESTAMPTZ := ("p_month" + interval '1 month') AT TIME ZONE 'UTC';
  "v_corrected" INTEGER;
BEGIN
  SELECT p."status", p."archived_at" INTO "v_status", "v_archived" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
  IF "v_archived" IS NOT NULL THEN
    RAISE EXCEPTION 'the rows of the month are archived' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  CREATE TEMPORARY TABLE "wrong_usage" ON COMMIT DROP AS
    SELECT "account_id", "key_id", "hour", "decision", sum("n")::bigint AS "missing"
    FROM (
      SELECT l."account_id", l."key_id", date_trunc('hour', l."created_at", 'UTC') AS "hour", l."decision", count(*) AS "n"
      FROM "check_logs" l WHERE l."created_at" >= "v_start" AND l."created_at" < "v_end" GROUP BY 1, 2, 3, 4
      UNION ALL
      SELECT u."account_id", u."key_id", u."hour", u."decision", -u."checks"
      FROM "usage_hourly" u WHERE u."hour" >= "v_start" AND u."hour" < "v_end"
      UNION ALL
      SELECT a."account_id", a."key_id", a."hour", a."decision", -a."checks"
      FROM "usage_adjustments" a WHERE a."hour" >= "v_start" AND a."hour" < "v_end"
    ) "cells" GROUP BY 1, 2, 3, 4 HAVING sum("n") <> 0;
  IF "v_status" = 'closed' THEN
    INSERT INTO "usage_adjustments" ("account_id", "key_id", "hour", "decision", "checks", "reason")
    SELECT w."account_id", w."key_id", w."hour", w."decision", w."missing", 'reconciled' FROM "wrong_usage" w
    WHERE coalesce((SELECT sum(u."checks") FROM "usage_hourly" u
                    WHERE u."account_id" = w."account_id" AND u."hour" >= "v_start" AND u."hour" < "v_end"), 0)
      = coalesce((SELECT s."used" FROM "statements" s
                  WHERE s."month" = "p_month" AND s."account_id" = w."account_id"), 0)
    ORDER BY 1, 3, 2, 4;
    GET DIAGNOSTICS "v_corrected" = ROW_COUNT;
  ELSE
    INSERT INTO "usage_hourly" AS u ("account_id", "key_id", "hour", "decision", "checks")
    SELECT w."account_id", w."key_id", w."hour", w."decision", w."missing" FROM "wrong_usage" w ORDER BY 1, 3, 2, 4
    ON CONFLICT ("account_id", "hour", "key_id", "decision") DO UPDATE SET "checks" = u."checks" + excluded."checks";
    GET DIAGNOSTICS "v_corrected" = ROW_COUNT;
    DELETE FROM "usage_hourly" u WHERE u."checks" = 0 AND u."hour" >= "v_start" AND u."hour" < "v_end";
    DELETE FROM "usage_tags" t WHERE t."account_id" IN (SELECT w."account_id" FROM "wrong_usage" w)
      AND t."day" >= "p_month" AND t."day" < "p_month" + interval '1 month';
    -- As many tags by name as the statement that persists checks has (TAGS_PER_MONTH_MAX), the most used ones.
    INSERT INTO "usage_tags" ("account_id", "day", "tag", "checks")
    SELECT n."account_id", n."day", CASE WHEN n."place" <= 100 THEN n."tag" ELSE '' END, sum(n."checks")
    FROM (
      SELECT c.*, dense_rank() OVER (PARTITION BY c."account_id" ORDER BY c."of_month" DESC, c."tag") AS "place"
      FROM (
        SELECT l."account_id", l."tag", (l."created_at" AT TIME ZONE 'UTC')::date AS "day", count(*) AS "checks",
          sum(count(*)) OVER (PARTITION BY l."account_id", l."tag") AS "of_month"
        FROM "check_logs" l
        WHERE l."created_at" >= "v_start" AND l."created_at" < "v_end" AND l."tag" IS NOT NULL
          AND l."account_id" IN (SELECT w."account_id" FROM "wrong_usage" w)
        GROUP BY 1, 2, 3
      ) c
    ) n
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
  END IF;
  RETURN "v_corrected";
END $$;
