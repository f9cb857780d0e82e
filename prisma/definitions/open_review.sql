-- Queues a check for a person, in the statement that stores it, and writes the event. Nothing is queued for an account
-- that is gone, nor for a check that has its outcome already.
CREATE OR REPLACE FUNCTION "open_review"(
  "p_account" TEXT, "p_log" TEXT, "p_key" TEXT, "p_email_hash" TEXT, "p_created_at" TIMESTAMPTZ
) RETURNS BOOLEAN LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
BEGIN
  INSERT INTO "reviews" ("id", "account_id", "key_id", "email_hash", "created_at")
  SELECT "p_log", a."id", "p_key", "p_email_hash", "p_created_at"
  FROM "accounts" a
  WHERE a."id" = "p_account" AND NOT EXISTS (
    SELECT FROM "outcomes" o WHERE o."account_id" = a."id" AND o."subject" IN ("p_log", "p_email_hash"))
  FOR KEY SHARE OF a
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  IF EXISTS (
    SELECT FROM "webhook_endpoints" e
    WHERE e."account_id" = "p_account" AND e."status" = 'enabled' AND 'review.opened' = ANY (e."events")
  ) THEN
    PERFORM "enqueue_webhook_event"("p_account", 'review.opened',
      jsonb_build_object('log_id', "p_log", 'key_id', "p_key"), NULL, 'evt_' || substr("p_log", 5));
  END IF;
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION "open_review"(TEXT, TEXT, TEXT, TEXT, TIMESTAMPTZ) FROM PUBLIC;
