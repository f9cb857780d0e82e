-- A month is closed in two steps: counting ends, then its statements are priced and written. Between them it has no statements.
ALTER TABLE "billing_periods" ADD COLUMN "stated_at" TIMESTAMPTZ(6);
UPDATE "billing_periods" SET "stated_at" = "closed_at" WHERE "status" = 'closed';

-- What the checksum goes over, stored with the statement: whoever checks it hashes this text and prints nothing anew.
ALTER TABLE "statements" ADD COLUMN "text" TEXT;
ALTER TABLE "statements" DISABLE TRIGGER "statements_immutable";
UPDATE "statements" s SET "text" = concat_ws(E'\n', to_char(s."month", 'YYYY-MM'), s."account_id", s."plan", s."entitled",
  s."used", s."adjusted", s."over", s."by_decision"::text, s."by_key"::text) || CASE s."form" WHEN 1 THEN '' ELSE
  E'\n' || concat_ws(E'\n', s."plans"::text, s."currency", s."lines"::text, s."subtotal", s."tax_rate", s."tax", s."total") END;
ALTER TABLE "statements" ENABLE TRIGGER "statements_immutable";
ALTER TABLE "statements" ALTER COLUMN "text" SET NOT NULL;

-- Prices are TypeScript (packages/domain/src/pricing); what remains in SQL is in prisma/definitions.
DROP FUNCTION "close_billing_month"(DATE, JSONB);
DROP FUNCTION "statement_checksum"(DATE, TEXT, TEXT, BIGINT, BIGINT, BIGINT, BIGINT, JSONB, JSONB);
DROP FUNCTION "money_checksum"("statements");
DROP FUNCTION "credit_invoice"(TEXT, BIGINT, TEXT, TEXT, DATE);
DROP FUNCTION "plan_days"(DATE);
DROP FUNCTION "round_half_up"(NUMERIC, NUMERIC);
