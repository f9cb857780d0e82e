-- Ends counting in a month: whoever held its row has committed, whoever comes next finds it closed and writes adjustments.
-- Returns true while its statements are to be written, so that a closing that was cut off goes on where it stopped.
CREATE OR REPLACE FUNCTION "freeze_billing_month"("p_month" DATE) RETURNS BOOLEAN LANGUAGE plpgsql
SECURITY DEFINER SET search_path = "public", pg_temp AS $$
DECLARE
  "v_period" "billing_periods";
BEGIN
  SELECT p.* INTO "v_period" FROM "billing_periods" p WHERE p."month" = "p_month" FOR UPDATE;
  IF NOT FOUND OR "v_period"."stated_at" IS NOT NULL THEN RETURN false; END IF;
  IF "v_period"."status" = 'closed' THEN RETURN true; END IF;
  -- The caller's clock may have been set.
  IF clock_timestamp() < ("p_month" + interval '1 month') AT TIME ZONE 'UTC' THEN
    RAISE EXCEPTION 'the month has not ended by the clock of Postgres' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  IF EXISTS (SELECT FROM "billing_periods" p WHERE p."month" < "p_month" AND p."stated_at" IS NULL) THEN
    RAISE EXCEPTION 'an earlier month is still open' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  UPDATE "billing_periods" p SET "status" = 'closed', "closed_at" = clock_timestamp(), "reconciled_to" = NULL
  WHERE p."month" = "p_month";
  UPDATE "usage_adjustments" a SET "billed_month" = "p_month" WHERE a."billed_month" IS NULL;
  UPDATE "manual_adjustments" a SET "billed_month" = "p_month" WHERE a."billed_month" IS NULL;
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION "freeze_billing_month"(DATE) FROM PUBLIC;
