-- Who is billed --------------------------------------------------------------------------------------------------------

-- Who sends the invoices. Each has numbers of its own, without gaps.
CREATE TABLE "legal_entities" (
  "id" TEXT PRIMARY KEY CHECK ("id" ~ '^[a-z][a-z0-9-]{0,31}$'),
  "name" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "tax_id" TEXT,
  "contact" TEXT,
  -- How to pay, as it stands at the foot of an invoice.
  "payment" TEXT,
  "payment_days" INTEGER NOT NULL DEFAULT 14 CHECK ("payment_days" >= 0),
  "number_prefix" TEXT NOT NULL,
  "next_number" BIGINT NOT NULL DEFAULT 1,
  "is_default" BOOLEAN NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX "legal_entities_number_prefix_key" ON "legal_entities" ("number_prefix");
CREATE UNIQUE INDEX "legal_entities_default_idx" ON "legal_entities" ("is_default") WHERE "is_default";

-- Whom the invoices of an account are made out to. Outlives the account: who left is still billed.
CREATE TABLE "billing_profiles" (
  "account_id" TEXT PRIMARY KEY,
  "name" TEXT,
  "address" TEXT,
  "tax_id" TEXT,
  "contact" TEXT,
  -- Hundredths of a percent: 1900 is 19 %.
  "tax_rate" INTEGER NOT NULL DEFAULT 0 CHECK ("tax_rate" BETWEEN 0 AND 10000),
  -- Why no tax, or which: "Reverse charge", "VAT".
  "tax_note" TEXT,
  -- The customer's number elsewhere, such as cus_... of Stripe.
  "external_ref" TEXT,
  "legal_entity" TEXT REFERENCES "legal_entities" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

ALTER TABLE "api_keys" ADD COLUMN "cost_centre" TEXT;
ALTER TABLE "accounts" ADD COLUMN "suspended_at" TIMESTAMPTZ(6);
ALTER TABLE "accounts" ADD COLUMN "suspended_reason" TEXT;

-- Corrections by hand ------------------------------------------------------------------------------------------------

-- Billed with the next statement of the account. Never changed; a wrong one is corrected by its opposite.
CREATE TABLE "manual_adjustments" (
  "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "account_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL CHECK ("kind" IN ('adjustment', 'credit')),
  "checks" BIGINT NOT NULL DEFAULT 0,
  -- Minor units of the currency.
  "amount" BIGINT NOT NULL DEFAULT 0,
  "reason" TEXT NOT NULL CHECK (length("reason") BETWEEN 1 AND 200),
  "author" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "billed_month" DATE,
  CHECK ("checks" <> 0 OR "amount" <> 0),
  CHECK ("kind" <> 'credit' OR ("amount" < 0 AND "checks" = 0))
);
CREATE INDEX "manual_adjustments_account_id_idx" ON "manual_adjustments" ("account_id");
CREATE INDEX "manual_adjustments_unbilled_idx" ON "manual_adjustments" ("id") WHERE "billed_month" IS NULL;

CREATE FUNCTION "refuse_manual_adjustment_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD."billed_month" IS NULL
    AND to_jsonb(OLD) - 'billed_month' = to_jsonb(NEW) - 'billed_month' THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'an adjustment is not changed: add its opposite' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "manual_adjustments_kept" BEFORE UPDATE OR DELETE ON "manual_adjustments"
  FOR EACH ROW EXECUTE FUNCTION "refuse_manual_adjustment_change"();

-- Statements with money ----------------------------------------------------------------------------------------------

ALTER TABLE "statements"
  -- 1: counts only, as before; 2: with money. Says what the checksum goes over.
  ADD COLUMN "form" SMALLINT NOT NULL DEFAULT 1,
  ADD COLUMN "plans" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "currency" TEXT NOT NULL DEFAULT 'EUR',
  ADD COLUMN "lines" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "subtotal" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "tax_rate" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "tax" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "total" BIGINT NOT NULL DEFAULT 0;

-- n / d to the nearest whole number, halves away from zero. Whole numbers only: no float ever holds money.
CREATE FUNCTION "round_half_up"("n" NUMERIC, "d" NUMERIC) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT (sign("n") * div(2 * abs("n") + "d", 2 * "d"))::bigint
$$;

-- SHA-256 over everything that is billed, one line each; docs/billing.md shows how to compute it elsewhere.
CREATE FUNCTION "money_checksum"("s" "statements") RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(concat_ws(E'\n', to_char(s."month", 'YYYY-MM'), s."account_id", s."plan", s."entitled",
    s."used", s."adjusted", s."over", s."by_decision"::text, s."by_key"::text, s."plans"::text, s."currency",
    s."lines"::text, s."subtotal", s."tax_rate", s."tax", s."total"), 'UTF8')), 'hex')
$$;

-- Which plans an account was on in a month: a day belongs to the plan in force at its end.
CREATE FUNCTION "plan_days"("p_month" DATE)
RETURNS TABLE ("account_id" TEXT, "plan" TEXT, "first_day" DATE, "last_day" DATE, "days" INTEGER) LANGUAGE sql STABLE AS $$
  WITH "changes" AS (
    SELECT c."account_id", c."to_plan", c."effective_at", c."id",
      greatest((c."effective_at" AT TIME ZONE 'UTC')::date, "p_month") AS "day"
    FROM "plan_changes" c
    WHERE c."withdrawn_at" IS NULL AND c."effective_at" < ("p_month" + interval '1 month') AT TIME ZONE 'UTC'
  ), "by_day" AS (
    SELECT DISTINCT ON (c."account_id", c."day") c."account_id", c."day", c."to_plan"
    FROM "changes" c ORDER BY c."account_id", c."day", c."effective_at" DESC, c."id" DESC
  ), "spans" AS (
    SELECT b."account_id", b."to_plan", b."day",
      lead(b."day", 1, ("p_month" + interval '1 month')::date) OVER (PARTITION BY b."account_id" ORDER BY b."day") AS "until"
    FROM "by_day" b
  )
  SELECT s."account_id", s."to_plan", s."day", s."until" - 1, s."until" - s."day" FROM "spans" s WHERE s."to_plan" <> 'none'
$$;

-- Closes one month: every account gets its statement, in one transaction. Returns how many were written; a month that
-- is closed already gives 0, so running it twice, or on two workers, is harmless. `p_plans` says per plan: checks,
-- price_month, price_per_1000_over, overage, currency.
--   entitled  the largest of the plans that were in force
--   plan      the one that entitled to it; its overage is billed
--   lines     plan fees by days, overage, then what was adjusted by hand; each rounded to the minor unit, halves up
DROP FUNCTION "close_billing_month"(DATE, JSONB);
CREATE FUNCTION "close_billing_month"("p_month" DATE, "p_plans" JSONB) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "v_status" TEXT;
  "v_start" TIMESTAMPTZ := "p_month"::timestamp AT TIME ZONE 'UTC';
  "v_end" TIMESTAMPTZ := ("p_month" + interval '1 month') AT TIME ZONE 'UTC';
  "v_month_days" INTEGER := ("p_month" + interval '1 month')::date - "p_month";
  "v_currency" TEXT := coalesce((SELECT min(p."value" ->> 'currency') FROM jsonb_each("p_plans") p), 'EUR');
  "v_written" INTEGER;
BEGIN
  SELECT p."status" INTO "v_status" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
  IF "v_status" IS NULL OR "v_status" = 'closed' THEN RETURN 0; END IF;
  -- Whoever asks may have been told the time by a clock that was set.
  IF clock_timestamp() < "v_end" THEN
    RAISE EXCEPTION 'the month has not ended by the clock of Postgres' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT FROM "billing_periods" p WHERE p."month" < "p_month" AND p."status" = 'open') THEN
    RAISE EXCEPTION 'an earlier month is still open' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;

  -- From here on nobody counts in this month: whoever held the row has committed, whoever comes next finds it closed.
  UPDATE "billing_periods" p SET "status" = 'closed', "closed_at" = clock_timestamp() WHERE p."month" = "p_month";
  UPDATE "usage_adjustments" a SET "billed_month" = "p_month" WHERE a."billed_month" IS NULL;
  UPDATE "manual_adjustments" a SET "billed_month" = "p_month" WHERE a."billed_month" IS NULL;

  WITH "figures" AS (
    SELECT u."account_id", u."key_id", u."decision", u."checks", 0::bigint AS "adjusted"
    FROM "usage_hourly" u WHERE u."hour" >= "v_start" AND u."hour" < "v_end"
    UNION ALL
    SELECT a."account_id", a."key_id", a."decision", 0, a."checks"
    FROM "usage_adjustments" a WHERE a."billed_month" = "p_month"
    UNION ALL
    SELECT m."account_id", NULL, NULL, 0, m."checks" FROM "manual_adjustments" m WHERE m."billed_month" = "p_month"
    UNION ALL
    SELECT d."account_id", NULL, NULL, 0, 0 FROM "plan_days"("p_month") d
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
  ), "days" AS (
    SELECT d.*, coalesce(("p_plans" -> d."plan" ->> 'checks')::bigint, 0) AS "checks",
      coalesce(("p_plans" -> d."plan" ->> 'price_month')::bigint, 0) AS "price",
      CASE WHEN "p_plans" -> d."plan" ->> 'overage' = 'bill'
           THEN coalesce(("p_plans" -> d."plan" ->> 'price_per_1000_over')::bigint, 0) ELSE 0 END AS "price_over"
    FROM "plan_days"("p_month") d
  ), "plans" AS (
    SELECT d."account_id", jsonb_agg(jsonb_build_object('plan', d."plan", 'from', d."first_day", 'to', d."last_day",
      'days', d."days") ORDER BY d."first_day") AS "plans"
    FROM "days" d GROUP BY 1
  ), "largest" AS (
    SELECT DISTINCT ON (d."account_id") d."account_id", d."plan", d."checks", d."price_over"
    FROM "days" d ORDER BY d."account_id", d."checks" DESC, d."first_day" DESC
  ), "counted" AS (
    SELECT t."account_id", coalesce(l."plan", 'none') AS "plan", coalesce(l."checks", 0) AS "entitled", t."used",
      t."adjusted", greatest(t."used" + t."adjusted" - coalesce(l."checks", 0), 0) AS "over",
      coalesce(l."price_over", 0) AS "price_over"
    FROM "totals" t LEFT JOIN "largest" l USING ("account_id")
  ), "charges" AS (
    SELECT d."account_id", 1 AS "part", d."first_day"::text AS "place", jsonb_build_object('kind', 'plan', 'plan', d."plan",
      'from', d."first_day", 'to', d."last_day", 'days', d."days", 'month_days', "v_month_days", 'price_month', d."price",
      'amount', "round_half_up"(d."price"::numeric * d."days", "v_month_days")) AS "line"
    FROM "days" d WHERE d."price" > 0
    UNION ALL
    SELECT c."account_id", 2, '', jsonb_build_object('kind', 'overage', 'plan', c."plan", 'checks', c."over",
      'price_per_1000', c."price_over", 'amount', "round_half_up"(c."over"::numeric * c."price_over", 1000))
    FROM "counted" c WHERE c."over" > 0 AND c."price_over" > 0
    UNION ALL
    SELECT m."account_id", 3, lpad(m."id"::text, 20, '0'), jsonb_build_object('kind', m."kind", 'id', m."id",
      'reason', m."reason", 'amount', m."amount")
    FROM "manual_adjustments" m WHERE m."billed_month" = "p_month" AND m."amount" <> 0
  ), "bills" AS (
    SELECT h."account_id", jsonb_agg(h."line" ORDER BY h."part", h."place") AS "lines",
      sum((h."line" ->> 'amount')::bigint)::bigint AS "subtotal"
    FROM "charges" h GROUP BY 1
  ), "final" AS (
    SELECT c.*, coalesce(d."by_decision", '{}') AS "by_decision", coalesce(k."by_key", '{}') AS "by_key",
      coalesce(p."plans", '[]') AS "plans", coalesce(b."lines", '[]') AS "lines", coalesce(b."subtotal", 0) AS "subtotal",
      coalesce(f."tax_rate", 0) AS "tax_rate",
      "round_half_up"(coalesce(b."subtotal", 0)::numeric * coalesce(f."tax_rate", 0), 10000) AS "tax"
    FROM "counted" c
    LEFT JOIN "decisions" d USING ("account_id") LEFT JOIN "keys" k USING ("account_id")
    LEFT JOIN "plans" p USING ("account_id") LEFT JOIN "bills" b USING ("account_id")
    LEFT JOIN "billing_profiles" f USING ("account_id")
  ), "rows" AS (
    SELECT jsonb_populate_record(NULL::"statements", jsonb_build_object('form', 2, 'month', "p_month",
      'account_id', f."account_id", 'plan', f."plan", 'entitled', f."entitled", 'used', f."used",
      'adjusted', f."adjusted", 'over', f."over", 'by_decision', f."by_decision", 'by_key', f."by_key",
      'plans', f."plans", 'currency', "v_currency", 'lines', f."lines", 'subtotal', f."subtotal",
      'tax_rate', f."tax_rate", 'tax', f."tax", 'total', f."subtotal" + f."tax")) AS "s"
    FROM "final" f
  )
  INSERT INTO "statements" ("form", "month", "account_id", "plan", "entitled", "used", "adjusted", "over", "by_decision",
    "by_key", "plans", "currency", "lines", "subtotal", "tax_rate", "tax", "total", "closed_at", "checksum")
  SELECT (r."s")."form", (r."s")."month", (r."s")."account_id", (r."s")."plan", (r."s")."entitled", (r."s")."used",
    (r."s")."adjusted", (r."s")."over", (r."s")."by_decision", (r."s")."by_key", (r."s")."plans", (r."s")."currency",
    (r."s")."lines", (r."s")."subtotal", (r."s")."tax_rate", (r."s")."tax", (r."s")."total", clock_timestamp(),
    "money_checksum"(r."s")
  FROM "rows" r ORDER BY (r."s")."account_id";
  GET DIAGNOSTICS "v_written" = ROW_COUNT;
  RETURN "v_written";
END $$;

-- Invoices -----------------------------------------------------------------------------------------------------------

CREATE TABLE "invoices" (
  "number" TEXT PRIMARY KEY,
  "legal_entity" TEXT NOT NULL REFERENCES "legal_entities" ("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  "sequence" BIGINT NOT NULL,
  "kind" TEXT NOT NULL CHECK ("kind" IN ('invoice', 'credit_note')),
  "account_id" TEXT NOT NULL,
  "month" DATE NOT NULL,
  "issued_on" DATE NOT NULL,
  "due_on" DATE NOT NULL,
  "currency" TEXT NOT NULL,
  "subtotal" BIGINT NOT NULL,
  "tax_rate" INTEGER NOT NULL,
  "tax" BIGINT NOT NULL,
  "total" BIGINT NOT NULL,
  -- Seller, buyer, lines, usage: as they were on the day of issue.
  "document" JSONB NOT NULL,
  -- The invoice that a credit note takes back, in part or whole.
  "corrects" TEXT REFERENCES "invoices" ("number") ON DELETE RESTRICT ON UPDATE RESTRICT,
  "statement_checksum" TEXT,
  "checksum" TEXT NOT NULL
);
CREATE UNIQUE INDEX "invoices_legal_entity_sequence_key" ON "invoices" ("legal_entity", "sequence");
-- One invoice for one statement, whoever issues it.
CREATE UNIQUE INDEX "invoices_statement_idx" ON "invoices" ("month", "account_id") WHERE "corrects" IS NULL;
CREATE INDEX "invoices_account_id_month_idx" ON "invoices" ("account_id", "month");

CREATE FUNCTION "refuse_invoice_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an invoice is immutable: correct it with a credit note' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "invoices_immutable" BEFORE UPDATE OR DELETE ON "invoices"
  FOR EACH ROW EXECUTE FUNCTION "refuse_invoice_change"();
CREATE TRIGGER "invoices_not_emptied" BEFORE TRUNCATE ON "invoices"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_invoice_change"();

CREATE FUNCTION "invoice_checksum"("i" "invoices") RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(concat_ws(E'\n', i."number", i."kind", i."account_id", to_char(i."month", 'YYYY-MM'),
    to_char(i."issued_on", 'YYYY-MM-DD'), to_char(i."due_on", 'YYYY-MM-DD'), i."currency", i."subtotal", i."tax_rate",
    i."tax", i."total", i."document"::text, i."corrects", i."statement_checksum"), 'UTF8')), 'hex')
$$;

-- Takes the next number of a legal entity and writes the invoice. The row of the entity is locked until commit: a number
-- that was taken and not used would come back with the rollback, so there are no gaps.
CREATE FUNCTION "write_invoice"("p_entity" TEXT, "p_fields" JSONB) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  "v_entity" "legal_entities";
  "v_invoice" "invoices";
BEGIN
  UPDATE "legal_entities" e SET "next_number" = e."next_number" + 1 WHERE e."id" = "p_entity" RETURNING e.* INTO "v_entity";
  "v_invoice" := jsonb_populate_record(NULL::"invoices", "p_fields" || jsonb_build_object(
    'legal_entity', "p_entity", 'sequence', "v_entity"."next_number" - 1,
    'number', "v_entity"."number_prefix" || lpad(("v_entity"."next_number" - 1)::text, 6, '0'),
    'due_on', ("p_fields" ->> 'issued_on')::date + "v_entity"."payment_days",
    'document', ("p_fields" -> 'document') || jsonb_build_object('seller', jsonb_build_object('name', "v_entity"."name",
      'address', "v_entity"."address", 'tax_id', "v_entity"."tax_id", 'contact', "v_entity"."contact",
      'payment', "v_entity"."payment"))));
  "v_invoice"."checksum" := "invoice_checksum"("v_invoice");
  INSERT INTO "invoices" SELECT ("v_invoice").*;
  RETURN "v_invoice"."number";
END $$;

-- Issues what is not issued yet of the closed months: one invoice for every statement with a line, by month and account.
-- A statement whose total is negative becomes a credit note. Returns how many; none while there is no legal entity.
CREATE FUNCTION "issue_invoices"("p_today" DATE) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  "v_default" TEXT;
  "v_row" RECORD;
  "v_issued" INTEGER := 0;
BEGIN
  -- Whoever comes second waits here, and then sees what the first one wrote.
  PERFORM FROM "legal_entities" e ORDER BY e."id" FOR UPDATE;
  SELECT e."id" INTO "v_default" FROM "legal_entities" e WHERE e."is_default";
  FOR "v_row" IN
    SELECT s.*, coalesce(p."legal_entity", "v_default") AS "entity", jsonb_build_object(
      'name', coalesce(p."name", a."name", s."account_id"), 'address', p."address", 'tax_id', p."tax_id",
      'contact', p."contact") AS "buyer", p."tax_note",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('key_id', u."key", 'name', k."name", 'cost_centre', k."cost_centre",
         'checks', u."value"::bigint) ORDER BY u."key"), '[]')
       FROM jsonb_each_text(s."by_key") u LEFT JOIN "api_keys" k ON k."id" = u."key") AS "keys"
    FROM "statements" s LEFT JOIN "accounts" a ON a."id" = s."account_id"
    LEFT JOIN "billing_profiles" p ON p."account_id" = s."account_id"
    WHERE s."form" = 2 AND s."lines" <> '[]' AND coalesce(p."legal_entity", "v_default") IS NOT NULL
      AND NOT EXISTS (SELECT FROM "invoices" i
                      WHERE i."month" = s."month" AND i."account_id" = s."account_id" AND i."corrects" IS NULL)
    ORDER BY s."month", s."account_id"
  LOOP
    PERFORM "write_invoice"("v_row"."entity", jsonb_build_object(
      'kind', CASE WHEN "v_row"."total" < 0 THEN 'credit_note' ELSE 'invoice' END,
      'account_id', "v_row"."account_id", 'month', "v_row"."month", 'issued_on', "p_today", 'currency', "v_row"."currency",
      'subtotal', "v_row"."subtotal", 'tax_rate', "v_row"."tax_rate", 'tax', "v_row"."tax", 'total', "v_row"."total",
      'statement_checksum', "v_row"."checksum",
      'document', jsonb_build_object('buyer', "v_row"."buyer", 'tax_note', "v_row"."tax_note", 'lines', "v_row"."lines",
        'plans', "v_row"."plans", 'entitled', "v_row"."entitled", 'used', "v_row"."used", 'adjusted', "v_row"."adjusted",
        'over', "v_row"."over", 'keys', "v_row"."keys")));
    "v_issued" := "v_issued" + 1;
  END LOOP;
  RETURN "v_issued";
END $$;

-- Takes back a part of an invoice, or all of it: a credit note with a number of its own, for an amount before tax.
-- Returns its number. Never more than is left of the invoice.
CREATE FUNCTION "credit_invoice"("p_number" TEXT, "p_amount" BIGINT, "p_reason" TEXT, "p_author" TEXT, "p_today" DATE)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  "v_invoice" "invoices";
  "v_left" BIGINT;
  "v_amount" BIGINT;
BEGIN
  SELECT i.* INTO "v_invoice" FROM "invoices" i WHERE i."number" = "p_number" AND i."kind" = 'invoice' FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no invoice %', "p_number" USING ERRCODE = 'no_data_found';
  END IF;
  SELECT "v_invoice"."subtotal" + coalesce(sum(c."subtotal"), 0) INTO "v_left"
  FROM "invoices" c WHERE c."corrects" = "p_number";
  "v_amount" := coalesce("p_amount", "v_left");
  IF "v_amount" <= 0 OR "v_amount" > "v_left" THEN
    RAISE EXCEPTION 'invoice % has % left to credit', "p_number", "v_left" USING ERRCODE = 'check_violation';
  END IF;
  RETURN "write_invoice"("v_invoice"."legal_entity", jsonb_build_object('kind', 'credit_note',
    'account_id', "v_invoice"."account_id", 'month', "v_invoice"."month", 'issued_on', "p_today",
    'currency', "v_invoice"."currency", 'subtotal', -"v_amount", 'tax_rate', "v_invoice"."tax_rate",
    'tax', "round_half_up"(-"v_amount"::numeric * "v_invoice"."tax_rate", 10000),
    'total', -"v_amount" + "round_half_up"(-"v_amount"::numeric * "v_invoice"."tax_rate", 10000), 'corrects', "p_number",
    'document', ("v_invoice"."document" - 'keys' - 'plans' - 'entitled' - 'used' - 'adjusted' - 'over') ||
      jsonb_build_object('lines', jsonb_build_array(jsonb_build_object('kind', 'credit', 'reason', "p_reason",
        'amount', -"v_amount")), 'author', "p_author")));
END $$;

-- What the billing team reads ----------------------------------------------------------------------------------------

CREATE OR REPLACE VIEW "billing"."statements" AS
  SELECT "month", "account_id", "plan", "entitled", "used", "adjusted", "over", "by_decision", "by_key", "closed_at",
    "checksum", "plans", "currency", "lines", "subtotal", "tax_rate", "tax", "total", "form"
  FROM "public"."statements";

CREATE VIEW "billing"."accounts" AS
  SELECT coalesce(a."id", p."account_id") AS "account_id", a."name", coalesce(a."plan", 'none') AS "plan",
    CASE WHEN a."id" IS NULL THEN 'deleted' WHEN a."suspended_at" IS NULL THEN 'active' ELSE 'suspended' END AS "status",
    a."created_at", p."name" AS "billing_name", p."address" AS "billing_address", p."tax_id", p."contact" AS "billing_contact",
    coalesce(p."tax_rate", 0) AS "tax_rate", p."tax_note", p."external_ref", p."legal_entity"
  FROM "public"."accounts" a FULL JOIN "public"."billing_profiles" p ON p."account_id" = a."id";

CREATE VIEW "billing"."keys" AS
  SELECT "id" AS "key_id", "account_id", "name", "last_four" AS "ends_with", "status", "cost_centre", "created_at",
    "last_used_at", "revoked_at"
  FROM "public"."api_keys";

CREATE VIEW "billing"."manual_adjustments" AS
  SELECT "id", "account_id", "kind", "checks", "amount", "reason", "author", "created_at", "billed_month"
  FROM "public"."manual_adjustments";

CREATE VIEW "billing"."invoices" AS
  SELECT "number", "kind", "legal_entity", "account_id", "month", "issued_on", "due_on", "currency", "subtotal", "tax_rate",
    "tax", "total", "document" -> 'buyer' ->> 'name' AS "billed_to", "document" -> 'buyer' ->> 'tax_id' AS "tax_id",
    "document" -> 'lines' AS "lines", "corrects", "statement_checksum", "checksum"
  FROM "public"."invoices";

COMMENT ON VIEW "billing"."usage_hourly" IS 'Checks by account, key, hour and decision; written with the checks themselves';
COMMENT ON COLUMN "billing"."usage_hourly"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_hourly"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."usage_hourly"."hour" IS 'Start of the hour, UTC';
COMMENT ON COLUMN "billing"."usage_hourly"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."usage_hourly"."checks" IS 'How many';
COMMENT ON VIEW "billing"."usage_daily" IS 'The same by day';
COMMENT ON COLUMN "billing"."usage_daily"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_daily"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."usage_daily"."day" IS 'Day, UTC';
COMMENT ON COLUMN "billing"."usage_daily"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."usage_daily"."checks" IS 'How many';
COMMENT ON VIEW "billing"."usage_monthly" IS 'Checks by account and month';
COMMENT ON COLUMN "billing"."usage_monthly"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."usage_monthly"."month" IS 'First day of the month, UTC';
COMMENT ON COLUMN "billing"."usage_monthly"."period_status" IS 'open: may still grow; closed: final';
COMMENT ON COLUMN "billing"."usage_monthly"."checks" IS 'All of them';
COMMENT ON COLUMN "billing"."usage_monthly"."allow" IS 'Checks decided allow';
COMMENT ON COLUMN "billing"."usage_monthly"."challenge" IS 'Checks decided challenge';
COMMENT ON COLUMN "billing"."usage_monthly"."review" IS 'Checks decided review';
COMMENT ON COLUMN "billing"."usage_monthly"."block" IS 'Checks decided block';
COMMENT ON VIEW "billing"."statements" IS 'What each account owes for a closed month; immutable';
COMMENT ON COLUMN "billing"."statements"."month" IS 'First day of the month, UTC';
COMMENT ON COLUMN "billing"."statements"."account_id" IS 'Who owes it';
COMMENT ON COLUMN "billing"."statements"."plan" IS 'The plan that entitled to the most checks; none without a plan';
COMMENT ON COLUMN "billing"."statements"."entitled" IS 'Checks included: the largest of the plans in force';
COMMENT ON COLUMN "billing"."statements"."used" IS 'Checks of this month';
COMMENT ON COLUMN "billing"."statements"."adjusted" IS 'Late checks and corrections of earlier months that are billed here; may be negative';
COMMENT ON COLUMN "billing"."statements"."over" IS 'used + adjusted - entitled, never below 0';
COMMENT ON COLUMN "billing"."statements"."by_decision" IS 'used, split by decision';
COMMENT ON COLUMN "billing"."statements"."by_key" IS 'used, split by key';
COMMENT ON COLUMN "billing"."statements"."closed_at" IS 'When the month was closed';
COMMENT ON COLUMN "billing"."statements"."checksum" IS 'SHA-256 over all that is billed';
COMMENT ON COLUMN "billing"."statements"."plans" IS 'The plans in force, each with its first and last day and their number';
COMMENT ON COLUMN "billing"."statements"."currency" IS 'ISO 4217';
COMMENT ON COLUMN "billing"."statements"."lines" IS 'Plan fees by days, overage, adjustments and credits; amounts in minor units';
COMMENT ON COLUMN "billing"."statements"."subtotal" IS 'Sum of the lines, in minor units';
COMMENT ON COLUMN "billing"."statements"."tax_rate" IS 'Hundredths of a percent, as given for the account at closing';
COMMENT ON COLUMN "billing"."statements"."tax" IS 'subtotal x tax_rate, in minor units, halves away from zero';
COMMENT ON COLUMN "billing"."statements"."total" IS 'subtotal + tax, in minor units';
COMMENT ON COLUMN "billing"."statements"."form" IS '1: counts only, closed before prices were kept; 2: with money';
COMMENT ON VIEW "billing"."adjustments" IS 'Checks that were counted after their month had been closed';
COMMENT ON COLUMN "billing"."adjustments"."id" IS 'Rises';
COMMENT ON COLUMN "billing"."adjustments"."account_id" IS 'Whose checks';
COMMENT ON COLUMN "billing"."adjustments"."key_id" IS 'With which key';
COMMENT ON COLUMN "billing"."adjustments"."usage_month" IS 'The month in which the checks were made';
COMMENT ON COLUMN "billing"."adjustments"."hour" IS 'Start of the hour, UTC';
COMMENT ON COLUMN "billing"."adjustments"."decision" IS 'allow, challenge, review or block';
COMMENT ON COLUMN "billing"."adjustments"."checks" IS 'How many; may be negative';
COMMENT ON COLUMN "billing"."adjustments"."reason" IS 'late: arrived after closing; reconciled: a correction';
COMMENT ON COLUMN "billing"."adjustments"."created_at" IS 'When it was found';
COMMENT ON COLUMN "billing"."adjustments"."billed_month" IS 'Whose statement carries it; null: the next one will';
COMMENT ON VIEW "billing"."accounts" IS 'Who the customers are and whom their invoices are made out to';
COMMENT ON COLUMN "billing"."accounts"."account_id" IS 'As in every other view';
COMMENT ON COLUMN "billing"."accounts"."name" IS 'As the customer calls the account; null when it was deleted';
COMMENT ON COLUMN "billing"."accounts"."plan" IS 'In force now; none when it was deleted';
COMMENT ON COLUMN "billing"."accounts"."status" IS 'active, suspended or deleted';
COMMENT ON COLUMN "billing"."accounts"."created_at" IS 'When it was made';
COMMENT ON COLUMN "billing"."accounts"."billing_name" IS 'Whom invoices are made out to; the account name when null';
COMMENT ON COLUMN "billing"."accounts"."billing_address" IS 'Postal address, several lines';
COMMENT ON COLUMN "billing"."accounts"."tax_id" IS 'The customer''s tax number';
COMMENT ON COLUMN "billing"."accounts"."billing_contact" IS 'Who gets the invoices';
COMMENT ON COLUMN "billing"."accounts"."tax_rate" IS 'Hundredths of a percent: 1900 is 19 %';
COMMENT ON COLUMN "billing"."accounts"."tax_note" IS 'Which tax, or why none';
COMMENT ON COLUMN "billing"."accounts"."external_ref" IS 'The customer''s number elsewhere, such as cus_... of Stripe';
COMMENT ON COLUMN "billing"."accounts"."legal_entity" IS 'Who invoices; null: the default one';
COMMENT ON VIEW "billing"."keys" IS 'The API keys, never their secrets';
COMMENT ON COLUMN "billing"."keys"."key_id" IS 'As in the usage views';
COMMENT ON COLUMN "billing"."keys"."account_id" IS 'Whose key';
COMMENT ON COLUMN "billing"."keys"."name" IS 'As the customer calls it';
COMMENT ON COLUMN "billing"."keys"."ends_with" IS 'The last four characters of its value';
COMMENT ON COLUMN "billing"."keys"."status" IS 'active, inactive or revoked';
COMMENT ON COLUMN "billing"."keys"."cost_centre" IS 'Where the customer books its checks';
COMMENT ON COLUMN "billing"."keys"."created_at" IS 'When it was made';
COMMENT ON COLUMN "billing"."keys"."last_used_at" IS 'Its newest check';
COMMENT ON COLUMN "billing"."keys"."revoked_at" IS 'When it was ended for good';
COMMENT ON VIEW "billing"."manual_adjustments" IS 'Corrections by hand, billed with the next statement; never changed';
COMMENT ON COLUMN "billing"."manual_adjustments"."id" IS 'Rises';
COMMENT ON COLUMN "billing"."manual_adjustments"."account_id" IS 'Whose bill';
COMMENT ON COLUMN "billing"."manual_adjustments"."kind" IS 'adjustment, or credit: an amount in the customer''s favour';
COMMENT ON COLUMN "billing"."manual_adjustments"."checks" IS 'Added to adjusted; may be negative';
COMMENT ON COLUMN "billing"."manual_adjustments"."amount" IS 'A line of the statement, in minor units; may be negative';
COMMENT ON COLUMN "billing"."manual_adjustments"."reason" IS 'Stands on the invoice';
COMMENT ON COLUMN "billing"."manual_adjustments"."author" IS 'Who made it';
COMMENT ON COLUMN "billing"."manual_adjustments"."created_at" IS 'When';
COMMENT ON COLUMN "billing"."manual_adjustments"."billed_month" IS 'Whose statement carries it; null: the next one will';
COMMENT ON VIEW "billing"."invoices" IS 'Invoices and credit notes as they were issued; immutable, numbered without gaps';
COMMENT ON COLUMN "billing"."invoices"."number" IS 'Prefix of the legal entity and a number without gaps';
COMMENT ON COLUMN "billing"."invoices"."kind" IS 'invoice or credit_note';
COMMENT ON COLUMN "billing"."invoices"."legal_entity" IS 'Who invoices';
COMMENT ON COLUMN "billing"."invoices"."account_id" IS 'Who is invoiced';
COMMENT ON COLUMN "billing"."invoices"."month" IS 'First day of the month that is billed';
COMMENT ON COLUMN "billing"."invoices"."issued_on" IS 'Date of the invoice, UTC';
COMMENT ON COLUMN "billing"."invoices"."due_on" IS 'When it is due';
COMMENT ON COLUMN "billing"."invoices"."currency" IS 'ISO 4217';
COMMENT ON COLUMN "billing"."invoices"."subtotal" IS 'Before tax, in minor units; negative on a credit note';
COMMENT ON COLUMN "billing"."invoices"."tax_rate" IS 'Hundredths of a percent';
COMMENT ON COLUMN "billing"."invoices"."tax" IS 'In minor units';
COMMENT ON COLUMN "billing"."invoices"."total" IS 'subtotal + tax, in minor units';
COMMENT ON COLUMN "billing"."invoices"."billed_to" IS 'Name on the invoice';
COMMENT ON COLUMN "billing"."invoices"."tax_id" IS 'Tax number of the customer on the invoice';
COMMENT ON COLUMN "billing"."invoices"."lines" IS 'As on the statement; amounts in minor units';
COMMENT ON COLUMN "billing"."invoices"."corrects" IS 'The invoice that a credit note takes back';
COMMENT ON COLUMN "billing"."invoices"."statement_checksum" IS 'Checksum of the statement it was made from';
COMMENT ON COLUMN "billing"."invoices"."checksum" IS 'SHA-256 over all of it; stands at the foot of the document';

-- On a server whose migrations may not make roles there is no such role.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'billing_reader') THEN
    GRANT SELECT ON ALL TABLES IN SCHEMA "billing" TO "billing_reader";
  END IF;
END $$;
