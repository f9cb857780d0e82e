-- Takes the next number of a legal entity and writes the invoice. The row of the entity is locked until commit: a number
-- that was taken and not used would come back with the rollback, so there are no gaps.
CREATE OR REPLACE FUNCTION "write_invoice"("p_entity" TEXT, "p_fields" JSONB) RETURNS TEXT LANGUAGE plpgsql AS $$
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
      'payment', "v_entity"."payment", 'country', "v_entity"."country"))));
  "v_invoice"."checksum" := "invoice_checksum"("v_invoice");
  INSERT INTO "invoices" SELECT ("v_invoice").*;
  RETURN "v_invoice"."number";
END $$;
