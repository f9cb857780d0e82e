-- Writes a page of statements of a frozen month from their canonical texts: the columns are read from the text, so that
-- the two cannot differ. The last page ends the month. Returns how many were written; 0 when somebody else was first.
CREATE OR REPLACE FUNCTION "state_billing_month"("p_month" DATE, "p_texts" TEXT[], "p_is_last" BOOLEAN DEFAULT true)
RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_written" INTEGER;
BEGIN
  PERFORM FROM "billing_periods" p
  WHERE p."month" = "p_month" AND p."status" = 'closed' AND p."stated_at" IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO "statements" ("form", "month", "account_id", "plan", "entitled", "used", "adjusted", "over", "by_decision",
    "by_key", "by_tag", "plans", "currency", "lines", "subtotal", "tax_rate", "tax", "total", "closed_at", "text", "checksum")
  SELECT 3, "p_month", s."account_id", s."plan", s."entitled", s."used", s."adjusted", s."over", s."by_decision",
    s."by_key", s."by_tag", s."plans", s."currency", s."lines", s."subtotal", s."tax_rate", s."tax", s."total", clock_timestamp(),
    t."text", encode(sha256(convert_to(t."text", 'UTF8')), 'hex')
  FROM unnest("p_texts") t ("text"), jsonb_populate_record(NULL::"statements", t."text"::jsonb - 'month') s
  ORDER BY s."account_id" ON CONFLICT ("month", "account_id") DO NOTHING;
  GET DIAGNOSTICS "v_written" = ROW_COUNT;
  IF "p_is_last" THEN
    UPDATE "billing_periods" p SET "stated_at" = clock_timestamp() WHERE p."month" = "p_month";
  END IF;
  RETURN "v_written";
END $$;
REVOKE EXECUTE ON FUNCTION "state_billing_month"(DATE, TEXT[], BOOLEAN) FROM PUBLIC;
