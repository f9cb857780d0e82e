-- Of an account that is gone stays what happened and when; from where, and what it was about, only where it is about money
-- or an operator. The history of an account that is there is left alone.
CREATE OR REPLACE FUNCTION "forget_audit_of"("p_account" TEXT) RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_forgotten" INTEGER;
BEGIN
  IF EXISTS (SELECT FROM "accounts" a WHERE a."id" = "p_account") THEN RETURN 0; END IF;
  UPDATE "audit_events" e
  SET "ip" = NULL, "details" = CASE
    WHEN e."action" ~ '^(account|billing|operator|subscription)[.]' THEN e."details"
    ELSE jsonb_strip_nulls(jsonb_build_object('by', e."details" -> 'by')) END
  WHERE e."account_id" = "p_account";
  GET DIAGNOSTICS "v_forgotten" = ROW_COUNT;
  RETURN "v_forgotten";
END $$;
REVOKE EXECUTE ON FUNCTION "forget_audit_of"(TEXT) FROM PUBLIC;
