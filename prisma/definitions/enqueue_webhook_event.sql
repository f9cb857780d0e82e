-- Writes an event and a delivery for each endpoint that wants it; to be called in the transaction of the cause. Returns
-- the event's id, or null when an event of this `p_once` was written before or the account is gone.
-- An endpoint that somebody deletes at this moment is waited for and left out: it must not make the cause fail.
CREATE OR REPLACE FUNCTION "enqueue_webhook_event"(
  "p_account" TEXT, "p_type" TEXT, "p_data" JSONB, "p_once" TEXT DEFAULT NULL, "p_id" TEXT DEFAULT NULL
) RETURNS TEXT LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_event" TEXT;
BEGIN
  -- A restore brings its own events.
  IF current_setting('verdict.restoring', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO "webhook_events" ("id", "account_id", "type", "data", "once_key")
  SELECT coalesce("p_id", "new_id"('evt')), a."id", "p_type", "p_data", "p_once"
  FROM "accounts" a WHERE a."id" = "p_account" FOR KEY SHARE OF a
  ON CONFLICT DO NOTHING
  RETURNING "id" INTO "v_event";
  IF "v_event" IS NULL THEN RETURN NULL; END IF;
  INSERT INTO "webhook_deliveries" ("id", "account_id", "event_id", "endpoint_id")
  SELECT "new_id"('whd'), e."account_id", "v_event", e."id"
  FROM "webhook_endpoints" e
  WHERE e."account_id" = "p_account" AND e."status" = 'enabled' AND "p_type" = ANY (e."events")
  FOR KEY SHARE OF e;
  RETURN "v_event";
END $$;
REVOKE EXECUTE ON FUNCTION "enqueue_webhook_event"(TEXT, TEXT, JSONB, TEXT, TEXT) FROM PUBLIC;
