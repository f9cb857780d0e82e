-- Services may have roles of their own (packages/db/src/service-rights.ts). What a role may not do by itself but must be able
-- to have done lies in functions that run with the rights of their owner: making and dropping partitions, writing what is
-- immutable, and forgetting what the audit log need not keep. Each finds its tables in `public` and nowhere else, so that no
-- table of the caller's own stands in for one of ours; each may be called only by whoever was given it.

ALTER FUNCTION "ensure_check_partitions"(DATE) SECURITY DEFINER SET search_path = "public", pg_temp;
REVOKE EXECUTE ON FUNCTION "ensure_check_partitions"(DATE) FROM PUBLIC;

-- Drops the addresses of one whole month; false when they were dropped before.
CREATE FUNCTION "drop_check_subjects"("p_month" DATE) RETURNS BOOLEAN LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_name" TEXT := 'check_subjects_' || to_char("p_month", 'YYYY_MM');
BEGIN
  IF to_regclass(format('"public".%I', "v_name")) IS NULL THEN RETURN false; END IF;
  EXECUTE format('DROP TABLE IF EXISTS "public".%I', "v_name");
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION "drop_check_subjects"(DATE) FROM PUBLIC;

-- Statements and invoices come from these three and from nowhere else.
ALTER FUNCTION "close_billing_month"(DATE, JSONB) SECURITY DEFINER SET search_path = "public", pg_temp;
REVOKE EXECUTE ON FUNCTION "close_billing_month"(DATE, JSONB) FROM PUBLIC;
ALTER FUNCTION "issue_invoices"(DATE) SECURITY DEFINER SET search_path = "public", pg_temp;
REVOKE EXECUTE ON FUNCTION "issue_invoices"(DATE) FROM PUBLIC;
ALTER FUNCTION "credit_invoice"(TEXT, BIGINT, TEXT, TEXT, DATE) SECURITY DEFINER SET search_path = "public", pg_temp;
REVOKE EXECUTE ON FUNCTION "credit_invoice"(TEXT, BIGINT, TEXT, TEXT, DATE) FROM PUBLIC;

-- Locks the row of the account while it writes, which a worker may not do by itself.
ALTER FUNCTION "enqueue_webhook_event"(TEXT, TEXT, JSONB, TEXT, TEXT) SECURITY DEFINER SET search_path = "public", pg_temp;
REVOKE EXECUTE ON FUNCTION "enqueue_webhook_event"(TEXT, TEXT, JSONB, TEXT, TEXT) FROM PUBLIC;

-- From where somebody acted is forgotten after a while. Returns how many rows had an address.
CREATE FUNCTION "forget_audit_ips"("p_before" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_forgotten" INTEGER;
BEGIN
  UPDATE "audit_events" e SET "ip" = NULL WHERE e."ip" IS NOT NULL AND e."created_at" < "p_before";
  GET DIAGNOSTICS "v_forgotten" = ROW_COUNT;
  RETURN "v_forgotten";
END $$;
REVOKE EXECUTE ON FUNCTION "forget_audit_ips"(TIMESTAMPTZ) FROM PUBLIC;

-- Of an account that is gone stays what happened and when; from where, and what it was about, only where it is about money
-- or an operator. The history of an account that is there is left alone.
CREATE FUNCTION "forget_audit_of"("p_account" TEXT) RETURNS INTEGER LANGUAGE plpgsql
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
