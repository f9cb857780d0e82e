-- Drops the addresses of one whole month; false when they were dropped before.
CREATE OR REPLACE FUNCTION "drop_check_subjects"("p_month" DATE) RETURNS BOOLEAN LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_name" TEXT := 'check_subjects_' || to_char("p_month", 'YYYY_MM');
BEGIN
  IF to_regclass(format('"public".%I', "v_name")) IS NULL THEN RETURN false; END IF;
  EXECUTE format('DROP TABLE IF EXISTS "public".%I', "v_name");
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION "drop_check_subjects"(DATE) FROM PUBLIC;
