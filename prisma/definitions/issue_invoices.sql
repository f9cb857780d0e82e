-- Issues what is not issued yet of the closed months and not stopped: one invoice for every statement with a line, by month
-- and account. Returns how many; none while there is no legal entity.
CREATE OR REPLACE FUNCTION "issue_invoices"("p_today" DATE) RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_row" RECORD;
  "v_issued" INTEGER := 0;
BEGIN
  -- A second caller waits here, and then sees what the first one wrote.
  PERFORM FROM "legal_entities" e ORDER BY e."id" FOR UPDATE;
  FOR "v_row" IN SELECT u.* FROM "unissued_invoices" u WHERE u."stopped" IS NULL ORDER BY u."month", u."account_id"
  LOOP
    PERFORM "write_invoice"("v_row"."legal_entity", jsonb_build_object(
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
REVOKE EXECUTE ON FUNCTION "issue_invoices"(DATE) FROM PUBLIC;
