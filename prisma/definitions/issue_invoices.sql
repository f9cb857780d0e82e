-- Issues what is not issued yet of the closed months: one invoice for every statement with a line, by month and account.
-- A statement whose total is negative becomes a credit note. Returns how many; none while there is no legal entity.
CREATE OR REPLACE FUNCTION "issue_invoices"("p_today" DATE) RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_default" TEXT;
  "v_row" RECORD;
  "v_issued" INTEGER := 0;
BEGIN
  -- A second caller waits here, and then sees what the first one wrote.
  PERFORM FROM "legal_entities" e ORDER BY e."id" FOR UPDATE;
  SELECT e."id" INTO "v_default" FROM "legal_entities" e WHERE e."is_default";
  FOR "v_row" IN
    SELECT s.*, coalesce(p."legal_entity", "v_default") AS "entity", jsonb_build_object(
      'name', coalesce(p."name", a."name", s."account_id"), 'address', p."address", 'tax_id', p."tax_id",
      'contact', p."contact", 'country', p."country", 'external_ref', p."external_ref", 'po_number', p."po_number") AS "buyer", p."tax_note",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('key_id', u."key", 'name', k."name", 'cost_centre', k."cost_centre",
         'checks', u."value"::bigint) ORDER BY u."key"), '[]')
       FROM jsonb_each_text(s."by_key") u LEFT JOIN "api_keys" k ON k."id" = u."key") AS "keys"
    FROM "statements" s LEFT JOIN "accounts" a ON a."id" = s."account_id"
    LEFT JOIN "billing_profiles" p ON p."account_id" = s."account_id"
    WHERE s."form" >= 2 AND s."lines" <> '[]' AND coalesce(p."legal_entity", "v_default") IS NOT NULL
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
REVOKE EXECUTE ON FUNCTION "issue_invoices"(DATE) FROM PUBLIC;
