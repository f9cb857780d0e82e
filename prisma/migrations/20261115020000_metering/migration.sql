-- Billing months ----------------------------------------------------------------------------------------------------

-- The persisting statement takes the row of each month it counts in FOR SHARE, closing takes it FOR UPDATE: a check is
-- either in the statement of its month or, when that one is closed, an adjustment. Never both, never neither.
CREATE TABLE "billing_periods" (
  "month" DATE PRIMARY KEY CHECK ("month" = date_trunc('month', "month")::date),
  "status" TEXT NOT NULL DEFAULT 'open' CHECK ("status" IN ('open', 'closed')),
  "closed_at" TIMESTAMPTZ(6)
);

-- As before, and a month that has partitions has a billing period too: without its row there would be nothing to lock.
CREATE OR REPLACE FUNCTION "ensure_check_partitions"("month" DATE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  "first" DATE := date_trunc('month', "month")::date;
  "next" DATE := (date_trunc('month', "month") + interval '1 month')::date;
  "suffix" TEXT := to_char("first", 'YYYY_MM');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_check_partitions'));
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "check_logs" FOR VALUES FROM (%L) TO (%L)',
    'check_logs_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
  EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF "check_subjects" FOR VALUES FROM (%L) TO (%L)',
    'check_subjects_' || "suffix", "first"::text || ' 00:00:00+00', "next"::text || ' 00:00:00+00');
  INSERT INTO "billing_periods" ("month") VALUES ("first") ON CONFLICT DO NOTHING;
END $$;

-- Months whose partitions an earlier migration made.
SELECT "ensure_check_partitions"(to_date(substring(c."relname" FROM 'check_logs_(\d{4}_\d{2})$'), 'YYYY_MM'))
FROM pg_inherits i JOIN pg_class c ON c."oid" = i."inhrelid"
WHERE i."inhparent" = '"check_logs"'::regclass;
SELECT "ensure_check_partitions"((now() AT TIME ZONE 'UTC')::date);
SELECT "ensure_check_partitions"(((now() AT TIME ZONE 'UTC') + interval '1 month')::date);

-- Checks counted after their month was closed, and corrections found by reconciliation. Billed with the next statement.
CREATE TABLE "usage_adjustments" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(0) NOT NULL,
  "decision" TEXT NOT NULL,
  "checks" BIGINT NOT NULL,
  "reason" TEXT NOT NULL CHECK ("reason" IN ('late', 'reconciled')),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "billed_month" DATE
);
CREATE INDEX "usage_adjustments_account_id_hour_idx" ON "usage_adjustments" ("account_id", "hour");
CREATE INDEX "usage_adjustments_unbilled_idx" ON "usage_adjustments" ("id") WHERE "billed_month" IS NULL;

CREATE TABLE "statements" (
  "month" DATE NOT NULL,
  "account_id" TEXT NOT NULL,
  "plan" TEXT NOT NULL,
  "entitled" BIGINT NOT NULL,
  "used" BIGINT NOT NULL,
  "adjusted" BIGINT NOT NULL,
  "over" BIGINT NOT NULL,
  "by_decision" JSONB NOT NULL,
  "by_key" JSONB NOT NULL,
  "closed_at" TIMESTAMPTZ(6) NOT NULL,
  "checksum" TEXT NOT NULL,
  PRIMARY KEY ("month", "account_id")
);
CREATE INDEX "statements_account_id_idx" ON "statements" ("account_id");

CREATE FUNCTION "refuse_statement_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a statement is immutable: correct it with an adjustment in the next one'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "statements_immutable" BEFORE UPDATE OR DELETE ON "statements"
  FOR EACH ROW EXECUTE FUNCTION "refuse_statement_change"();
CREATE TRIGGER "statements_not_emptied" BEFORE TRUNCATE ON "statements"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_statement_change"();

-- SHA-256 over the billed fields, one line each; docs/billing.md shows how to compute it elsewhere.
CREATE FUNCTION "statement_checksum"(
  "month" DATE, "account_id" TEXT, "plan" TEXT, "entitled" BIGINT, "used" BIGINT, "adjusted" BIGINT, "over" BIGINT,
  "by_decision" JSONB, "by_key" JSONB
) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(concat_ws(E'\n', to_char("month", 'YYYY-MM'), "account_id", "plan", "entitled",
    "used", "adjusted", "over", "by_decision"::text, "by_key"::text), 'UTF8')), 'hex')
$$;

-- Closes one month: every account gets its statement, in one transaction. Returns how many were written; a month that
-- is closed already gives 0, so running it twice, or on two workers, is harmless.
CREATE FUNCTION "close_billing_month"("p_month" DATE, "p_entitled" JSONB) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "v_status" TEXT;
  "v_start" TIMESTAMPTZ := "p_month"::timestamp AT TIME ZONE 'UTC';
  "v_end" TIMESTAMPTZ := ("p_month" + interval '1 month') AT TIME ZONE 'UTC';
  "v_written" INTEGER;
BEGIN
  SELECT p."status" INTO "v_status" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
  IF "v_status" IS NULL OR "v_status" = 'closed' THEN RETURN 0; END IF;
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

-- Makes the rollups of one month agree with its logs. An open month is counted anew; a closed one is never changed, so
-- the difference becomes an adjustment. Workers wait for the period's row meanwhile. Returns how many cells were wrong.
CREATE FUNCTION "rebuild_usage"("p_month" DATE) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "v_status" TEXT;
  "v_start" TIMESTAMPTZ := "p_month"::timestamp AT TIME ZONE 'UTC';
  "v_end" TIMESTAMPTZ := ("p_month" + interval '1 month') AT TIME ZONE 'UTC';
  "v_wrong" INTEGER;
BEGIN
  SELECT p."status" INTO "v_status" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
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
  GET DIAGNOSTICS "v_wrong" = ROW_COUNT;
  IF "v_status" = 'closed' THEN
    INSERT INTO "usage_adjustments" ("account_id", "key_id", "hour", "decision", "checks", "reason")
    SELECT w."account_id", w."key_id", w."hour", w."decision", w."missing", 'reconciled' FROM "wrong_usage" w
    ORDER BY 1, 3, 2, 4;
  ELSE
    INSERT INTO "usage_hourly" AS u ("account_id", "key_id", "hour", "decision", "checks")
    SELECT w."account_id", w."key_id", w."hour", w."decision", w."missing" FROM "wrong_usage" w ORDER BY 1, 3, 2, 4
    ON CONFLICT ("account_id", "hour", "key_id", "decision") DO UPDATE SET "checks" = u."checks" + excluded."checks";
    DELETE FROM "usage_hourly" u WHERE u."checks" = 0 AND u."hour" >= "v_start" AND u."hour" < "v_end";
  END IF;
  RETURN "v_wrong";
END $$;

-- Proof that an address was erased: its keyed hash, never the address.
CREATE TABLE "erasures" (
  "id" TEXT PRIMARY KEY,
  "email_hash" TEXT NOT NULL,
  "checks" BIGINT NOT NULL,
  "dead_letters" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- What the billing team reads ------------------------------------------------------------------------------------

CREATE SCHEMA IF NOT EXISTS "billing";

CREATE VIEW "billing"."usage_hourly" AS
  SELECT "account_id", "key_id", "hour", "decision", "checks" FROM "public"."usage_hourly";

CREATE VIEW "billing"."usage_daily" AS
  SELECT "account_id", "key_id", ("hour" AT TIME ZONE 'UTC')::date AS "day", "decision", sum("checks")::bigint AS "checks"
  FROM "public"."usage_hourly" GROUP BY 1, 2, 3, 4;

CREATE VIEW "billing"."usage_monthly" AS
  SELECT u."account_id", u."month", p."status" AS "period_status",
    sum(u."checks")::bigint AS "checks",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'allow'), 0)::bigint AS "allow",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'challenge'), 0)::bigint AS "challenge",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'review'), 0)::bigint AS "review",
    coalesce(sum(u."checks") FILTER (WHERE u."decision" = 'block'), 0)::bigint AS "block"
  FROM (SELECT "account_id", date_trunc('month', "hour" AT TIME ZONE 'UTC')::date AS "month", "decision", "checks"
        FROM "public"."usage_hourly") u
  LEFT JOIN "public"."billing_periods" p ON p."month" = u."month"
  GROUP BY 1, 2, 3;

CREATE VIEW "billing"."statements" AS
  SELECT "month", "account_id", "plan", "entitled", "used", "adjusted", "over", "by_decision", "by_key", "closed_at",
    "checksum"
  FROM "public"."statements";

CREATE VIEW "billing"."adjustments" AS
  SELECT "id", "account_id", "key_id", date_trunc('month', "hour" AT TIME ZONE 'UTC')::date AS "usage_month", "hour",
    "decision", "checks", "reason", "created_at", "billed_month"
  FROM "public"."usage_adjustments";

-- A role of the whole server, so another database may have made it already; it gets its login from the operator. Whoever
-- may not make roles has none until an administrator makes it and grants it the same (docs/billing.md).
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'billing_reader') THEN
    CREATE ROLE "billing_reader" NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
END $$;
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'billing_reader') THEN
    GRANT USAGE ON SCHEMA "billing" TO "billing_reader";
    GRANT SELECT ON ALL TABLES IN SCHEMA "billing" TO "billing_reader";
  END IF;
END $$;
