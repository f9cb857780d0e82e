-- Refuses to change or delete a statement, whoever asks.
CREATE OR REPLACE FUNCTION "refuse_statement_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a statement is immutable: correct it with an adjustment in the next one'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER "statements_immutable" BEFORE UPDATE OR DELETE ON "statements"
  FOR EACH ROW EXECUTE FUNCTION "refuse_statement_change"();
CREATE OR REPLACE TRIGGER "statements_not_emptied" BEFORE TRUNCATE ON "statements"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_statement_change"();
