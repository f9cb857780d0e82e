CREATE OR REPLACE FUNCTION "tell_of_key"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'key.created', jsonb_build_object('key_id', NEW."id"));
    RETURN NULL;
  END IF;
  IF NEW."secret_hash" <> OLD."secret_hash" THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'key.rolled', jsonb_build_object('key_id', NEW."id"));
  END IF;
  IF NEW."status" = 'revoked' AND OLD."status" <> 'revoked' THEN
    PERFORM "enqueue_webhook_event"(NEW."account_id", 'key.revoked', jsonb_build_object('key_id', NEW."id"));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "api_keys_told" AFTER INSERT OR UPDATE OF "secret_hash", "status" ON "api_keys"
  FOR EACH ROW EXECUTE FUNCTION "tell_of_key"();
