-- Issues the next invoices of the closed months, at most "p_max" after a month and account, that nothing stops: one for
-- every statement with a line, by month and account. Returns how many, and the last; none while there is no legal entity.
CREATE OR REPLACE FUNCTION "issue_invoices"(
  "p_today" DATE, "p_month" DATE DEFAULT NULL, "p_account" TEXT DEFAULT NULL, "p_max" INTEGER DEFAULT 500,
  OUT "issued" INTEGER, OUT "last_month" DATE, OUT "last_account" TEXT
) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_row" RECORD;
BEGIN
  "issued" := 0;
  -- A second caller waits here, and then sees what the first one wrote.
  PERFORM FROM "legal_entities" e ORDER BY e."id" FOR UPDATE;
  FOR "v_row" IN SELECT u.* FROM "unissued_invoices" u
    WHERE u."stopped" IS NULL AND u."month" >= coalesce("p_month", '-infinity')
      AND (u."month", u."account_id") > (coalesce("p_month", '-infinity'), coalesce("p_account", ''))
    ORDER BY u."month", u."account_id" LIMIT "p_max"
  LOOP
    PERFORM "write_invoice"("v_row"."legal_entity", jsonb_build_object(
      'kind', CASE WHEN "v_row"."total" < 0 THEN 'credit_note' ELSE 'invoice' END,
      'account_id', "v_row"."account_id", 'month', "v_row"."month", 'issued_on', "p_today", 'currency', "v_row"."currency",
      'subtotal', "v_row"."subtotal", 'tax_rate', "v_row"."tax_rate", 'tax', "v_row"."tax", 'total', "v_row"."total",
      'statement_checksum', "v_row"."checksum",
      'document', jsonb_build_object('buyer', "v_row"."buyer", 'tax_note', "v_row"."tax_note", 'lines', "v_row"."lines",
        'plans', "v_row"."plans", 'entitled', "v_row"."entitled", 'used', "v_row"."used", 'adjusted', "v_row"."adjusted",
        'over', "v_row"."over", 'keys', "v_row"."keys")));
    "issued" := "issued" + 1;
    "last_month" := "v_row"."month";
    "last_account" := "v_row"."account_id";
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION "issue_invoices"(DATE, DATE, TEXT, INTEGER) FROM PUBLIC;
