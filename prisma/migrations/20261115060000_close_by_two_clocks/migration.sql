-- As before, but a month is closed only after it has ended by the clock of Postgres: whoever asks may have been told the
-- time by a clock that was set.
CREATE OR REPLACE FUNCTION "close_billing_month"("p_month" DATE, "p_entitled" JSONB) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "v_status" TEXT;
  "v_start" TIMESTAMPTZ := "p_month"::timestamp AT TIME ZONE 'UTC';
  "v_end" TIMESTAMPTZ := ("p_month" + interval '1 month') AT TIME ZONE 'UTC';
  "v_written" INTEGER;
BEGIN
  SELECT p."status" INTO "v_status" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
  IF "v_status" IS NULL OR "v_status" = 'closed' THEN RETURN 0; END IF;
  IF clock_timestamp() < "v_end" THEN
    RAISE EXCEPTION 'the month has not ended by the clock of Postgres' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT FROM "billing_periods" p WHERE p."month" < "p_month" AND p."status" = 'open') THEN
    RAISE EXCEPTION 'an earlier month is still open' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;

  -- From here on nobody counts in this month: whoever held the row has committed, whoever comes next finds it closed.
  UPDATE "billing_periods" p SET "status" = 'closed', "closed_at" = clock_timestamp() WHERE p."month" = "p_month";
  UPDATE "usage_adjustments" a SET "billed_month" = "p_month" WHERE a."billed_month" IS NULL;

  WITH "figures" AS (
    SELECT u."account_id", u."key_id", u."decision", u."checks", 0::bigint AS "adjusted"
    FROM "usage_hourly" u WHERE u."hour" >= "v_start" AND u."hour" < "v_end"
    UNION ALL
    SELECT a."account_id", a."key_id", a."decision", 0, a."checks"
    FROM "usage_adjustments" a WHERE a."billed_month" = "p_month"
    UNION ALL
    SELECT c."id", NULL, NULL, 0, 0 FROM "accounts" c WHERE c."created_at" < "v_end"
  ), "totals" AS (
    SELECT "account_id", sum("checks")::bigint AS "used", sum("adjusted")::bigint AS "adjusted"
    FROM "figures" GROUP BY 1
  ), "decisions" AS (
    SELECT "account_id", jsonb_object_agg("decision", "n") AS "by_decision"
    FROM (SELECT "account_id", "decision", sum("checks") AS "n" FROM "figures"
          WHERE "decision" IS NOT NULL GROUP BY 1, 2 HAVING sum("checks") <> 0) d GROUP BY 1
  ), "keys" AS (
    SELECT "account_id", jsonb_object_agg("key_id", "n") AS "by_key"
    FROM (SELECT "account_id", "key_id", sum("checks") AS "n" FROM "figures"
          WHERE "key_id" IS NOT NULL GROUP BY 1, 2 HAVING sum("checks") <> 0) k GROUP BY 1
  ), "final" AS (
    SELECT t."account_id", coalesce(c."plan", 'none') AS "plan",
      coalesce(("p_entitled" ->> c."plan")::bigint, 0) AS "entitled", t."used", t."adjusted",
      greatest(t."used" + t."adjusted" - coalesce(("p_entitled" ->> c."plan")::bigint, 0), 0) AS "over",
      coalesce(d."by_decision", '{}') AS "by_decision", coalesce(k."by_key", '{}') AS "by_key"
    FROM "totals" t LEFT JOIN "accounts" c ON c."id" = t."account_id"
    LEFT JOIN "decisions" d USING ("account_id") LEFT JOIN "keys" k USING ("account_id")
  )
  INSERT INTO "statements" ("month", "account_id", "plan", "entitled", "used", "adjusted", "over", "by_decision",
    "by_key", "closed_at", "checksum")
  SELECT "p_month", f."account_id", f."plan", f."entitled", f."used", f."adjusted", f."over", f."by_decision", f."by_key",
    clock_timestamp(), "statement_checksum"("p_month", f."account_id", f."plan", f."entitled", f."used", f."adjusted",
      f."over", f."by_decision", f."by_key")
  FROM "final" f;
  GET DIAGNOSTICS "v_written" = ROW_COUNT;
  RETURN "v_written";
END $$;
