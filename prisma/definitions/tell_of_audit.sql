-- Tells of an entry of the audit log where an endpoint names the event. It names ids alone: what was changed may be an
-- address, and stays where erasure finds it.
CREATE OR REPLACE FUNCTION "tell_of_audit"() RETURNS TRIGGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "webhook_endpoints" e
    WHERE e."account_id" = NEW."account_id" AND e."status" = 'enabled' AND 'audit.recorded' = ANY (e."events")
  ) THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'audit.recorded', jsonb_build_object(
      'audit_id', NEW."id",
      'action', NEW."action",
      'by', CASE WHEN NEW."details" ->> 'by' LIKE 'operator%' THEN 'operator'
        ELSE coalesce(NEW."user_id", NEW."details" ->> 'key_id', 'system') END,
      'target', CASE WHEN NEW."target" ~ '^([a-z]{2,4}_[0-9A-Za-z_]+|[0-9]+)$' THEN NEW."target" END));
  END IF;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION "tell_of_audit"() FROM PUBLIC;
CREATE OR REPLACE TRIGGER "audit_events_told" AFTER INSERT ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION "tell_of_audit"();
