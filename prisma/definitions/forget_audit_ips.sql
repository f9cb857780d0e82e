-- From where somebody acted is forgotten after a while. Returns how many rows had an address.
CREATE OR REPLACE FUNCTION "forget_audit_ips"("p_before" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_forgotten" INTEGER;
BEGIN
  UPDATE "audit_events" e SET "ip" = NULL WHERE e."ip" IS NOT NULL AND e."created_at" < "p_before";
  GET DIAGNOSTICS "v_forgotten" = ROW_COUNT;
  RETURN "v_forgotten";
END $$;
REVOKE EXECUTE ON FUNCTION "forget_audit_ips"(TIMESTAMPTZ) FROM PUBLIC;
