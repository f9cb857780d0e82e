-- When a plan is in force, not when it was asked for. An account's first plan is no change.
CREATE OR REPLACE FUNCTION "tell_of_plan"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "enqueue_webhook_event"(NEW."account_id", 'plan.changed', jsonb_build_object('from_plan', NEW."from_plan",
    'plan', NEW."to_plan", 'effective_at', to_char(NEW."effective_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER "plan_changes_told" AFTER INSERT ON "plan_changes"
  FOR EACH ROW WHEN (NEW."applied_at" IS NOT NULL AND NEW."from_plan" IS NOT NULL)
  EXECUTE FUNCTION "tell_of_plan"();
CREATE OR REPLACE TRIGGER "plan_changes_applied_told" AFTER UPDATE OF "applied_at" ON "plan_changes"
  FOR EACH ROW WHEN (OLD."applied_at" IS NULL AND NEW."applied_at" IS NOT NULL AND NEW."from_plan" IS NOT NULL)
  EXECUTE FUNCTION "tell_of_plan"();
