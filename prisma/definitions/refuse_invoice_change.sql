-- Refuses to change or delete an invoice, whoever asks; only what happens to it afterwards may be noted.
CREATE OR REPLACE FUNCTION "refuse_invoice_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  "v_afterwards" CONSTANT TEXT[] := ARRAY['paid_on', 'payment_ref', 'mailed_at', 'reminded_at'];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - "v_afterwards" = to_jsonb(OLD) - "v_afterwards" THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'an invoice is immutable: correct it with a credit note' USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER "invoices_immutable" BEFORE UPDATE OR DELETE ON "invoices"
  FOR EACH ROW EXECUTE FUNCTION "refuse_invoice_change"();
CREATE OR REPLACE TRIGGER "invoices_not_emptied" BEFORE TRUNCATE ON "invoices"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_invoice_change"();
