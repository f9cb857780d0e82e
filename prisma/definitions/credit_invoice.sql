-- Takes back a part of an invoice, or all of it, with a credit note of its own number. The caller worked out the amounts
-- (packages/domain/src/pricing/credit-amounts.ts); under the lock they may exceed nothing that is left, and the last credit
-- takes all that is left of the tax. Returns the number.
CREATE OR REPLACE FUNCTION "credit_invoice"(
  "p_number" TEXT, "p_subtotal" BIGINT, "p_tax" BIGINT, "p_reason" TEXT, "p_author" TEXT, "p_today" DATE
) RETURNS TEXT LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_invoice" "invoices";
  "v_left" RECORD;
BEGIN
  SELECT i.* INTO "v_invoice" FROM "invoices" i WHERE i."number" = "p_number" AND i."kind" = 'invoice' FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no invoice %', "p_number" USING ERRCODE = 'no_data_found';
  END IF;
  SELECT "v_invoice"."subtotal" + coalesce(sum(c."subtotal"), 0) AS "subtotal",
    "v_invoice"."tax" + coalesce(sum(c."tax"), 0) AS "tax" INTO "v_left"
  FROM "invoices" c WHERE c."corrects" = "p_number";
  IF "p_subtotal" <= 0 OR "p_subtotal" > "v_left"."subtotal" OR "p_tax" < 0 OR "p_tax" > "v_left"."tax"
    OR ("p_subtotal" = "v_left"."subtotal" AND "p_tax" <> "v_left"."tax")
  THEN
    RAISE EXCEPTION 'invoice % has % and tax of % left to credit', "p_number", "v_left"."subtotal", "v_left"."tax"
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN "write_invoice"("v_invoice"."legal_entity", jsonb_build_object('kind', 'credit_note',
    'account_id', "v_invoice"."account_id", 'month', "v_invoice"."month", 'issued_on', "p_today",
    'currency', "v_invoice"."currency", 'subtotal', -"p_subtotal", 'tax_rate', "v_invoice"."tax_rate",
    'tax', -"p_tax", 'total', -"p_subtotal" - "p_tax", 'corrects', "p_number",
    'document', ("v_invoice"."document" - 'keys' - 'plans' - 'entitled' - 'used' - 'adjusted' - 'over') ||
      jsonb_build_object('lines', jsonb_build_array(jsonb_build_object('kind', 'credit', 'reason', "p_reason",
        'amount', -"p_subtotal")), 'author', "p_author")));
END $$;
REVOKE EXECUTE ON FUNCTION "credit_invoice"(TEXT, BIGINT, BIGINT, TEXT, TEXT, DATE) FROM PUBLIC;
