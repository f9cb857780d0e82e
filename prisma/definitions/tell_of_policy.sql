-- When another version of the policy is live, or none.
CREATE OR REPLACE FUNCTION "tell_of_policy"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(NEW."id", 'policy.changed',
    jsonb_build_object('live', NEW."policy_live", 'previous', OLD."policy_live"));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "accounts_policy_told" AFTER UPDATE OF "policy_live" ON "accounts"
  FOR EACH ROW WHEN (OLD."policy_live" IS DISTINCT FROM NEW."policy_live")
  EXECUTE FUNCTION "tell_of_policy"();
