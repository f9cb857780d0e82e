-- Refuses to change or delete an invoice, whoever asks.
CREATE OR REPLACE FUNCTION "refuse_invoice_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an invoice is immutable: correct it with a credit note' USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER "invoices_immutable" BEFORE UPDATE OR DELETE ON "invoices"
  FOR EACH ROW EXECUTE FUNCTION "refuse_invoice_change"();
CREATE OR REPLACE TRIGGER "invoices_not_emptied" BEFORE TRUNCATE ON "invoices"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_invoice_change"();
