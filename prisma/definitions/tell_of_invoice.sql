CREATE OR REPLACE FUNCTION "tell_of_invoice"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(i."account_id", 'invoice.issued', jsonb_build_object('number', i."number"))
  FROM "written" i;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "invoices_told" AFTER INSERT ON "invoices"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "tell_of_invoice"();
