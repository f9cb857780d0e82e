CREATE OR REPLACE FUNCTION "tell_of_statement"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(s."account_id", 'statement.closed',
    jsonb_build_object('month', to_char(s."month", 'YYYY-MM'), 'checksum', s."checksum"))
  FROM "written" s;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "statements_told" AFTER INSERT ON "statements"
  REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "tell_of_statement"();
