-- Lets an adjustment be billed once, and refuses every other change of it.
CREATE OR REPLACE FUNCTION "refuse_manual_adjustment_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD."billed_month" IS NULL
    AND to_jsonb(OLD) - 'billed_month' = to_jsonb(NEW) - 'billed_month' THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'an adjustment is not changed: add its opposite' USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER "manual_adjustments_kept" BEFORE UPDATE OR DELETE ON "manual_adjustments"
  FOR EACH ROW EXECUTE FUNCTION "refuse_manual_adjustment_change"();
