-- Lets a change of plan that lies ahead be applied or withdrawn once, and refuses every other change of the history.
CREATE OR REPLACE FUNCTION "refuse_plan_change_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD."applied_at" IS NULL AND OLD."withdrawn_at" IS NULL
    AND (OLD."id", OLD."account_id", OLD."from_plan", OLD."to_plan", OLD."effective_at", OLD."made_by", OLD."made_at")
      IS NOT DISTINCT FROM
        (NEW."id", NEW."account_id", NEW."from_plan", NEW."to_plan", NEW."effective_at", NEW."made_by", NEW."made_at")
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the history of plans is not rewritten: change the plan again instead'
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER "plan_changes_kept" BEFORE UPDATE OR DELETE ON "plan_changes"
  FOR EACH ROW EXECUTE FUNCTION "refuse_plan_change_change"();
CREATE OR REPLACE TRIGGER "plan_changes_not_emptied" BEFORE TRUNCATE ON "plan_changes"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_plan_change_change"();
