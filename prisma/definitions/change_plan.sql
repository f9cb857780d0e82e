-- Changes a plan; the caller holds the account's row. `p_down_from` names the plans that are no smaller than the new one:
-- from one of these it begins with the next month, from any other it holds at once. Whatever lay ahead is taken back, so
-- choosing the present plan cancels a downgrade. An open request for this plan is granted by it.
-- Returns one row, or none when nothing was to be changed.
CREATE OR REPLACE FUNCTION "change_plan"(
  "p_account" TEXT, "p_plan" TEXT, "p_down_from" TEXT[], "p_made_by" TEXT, "p_now" TIMESTAMPTZ
) RETURNS TABLE ("from_plan" TEXT, "plan" TEXT, "next_plan" TEXT, "effective_at" TIMESTAMPTZ) LANGUAGE plpgsql AS $$
DECLARE
  "v_present" TEXT;
  "v_ahead" TEXT;
  "v_at" TIMESTAMPTZ;
BEGIN
  PERFORM "apply_due_plan_changes_of"("p_account", "p_now");
  SELECT a."plan" INTO "v_present" FROM "accounts" a WHERE a."id" = "p_account" FOR UPDATE;
  UPDATE "plan_requests" r SET "status" = 'granted', "decided_by" = "p_made_by", "decided_at" = "p_now"
  WHERE r."account_id" = "p_account" AND r."status" = 'open' AND r."plan" = "p_plan";
  SELECT c."to_plan" INTO "v_ahead" FROM "plan_changes" c
  WHERE c."account_id" = "p_account" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL;
  -- It is the plan already, or will be.
  IF "v_present" IS NULL OR "p_plan" = coalesce("v_ahead", "v_present") THEN RETURN; END IF;

  UPDATE "plan_changes" c SET "withdrawn_at" = "p_now"
  WHERE c."account_id" = "p_account" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL;
  IF "p_plan" = "v_present" THEN
    RETURN QUERY SELECT "v_present", "v_present", NULL::text, "p_now";
    RETURN;
  END IF;
  IF "v_present" = ANY ("p_down_from") THEN
    "v_at" := (date_trunc('month', "p_now" AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
    INSERT INTO "plan_changes" ("account_id", "from_plan", "to_plan", "effective_at", "made_by", "made_at")
    VALUES ("p_account", "v_present", "p_plan", "v_at", "p_made_by", "p_now");
    RETURN QUERY SELECT "v_present", "v_present", "p_plan", "v_at";
  ELSE
    INSERT INTO "plan_changes" ("account_id", "from_plan", "to_plan", "effective_at", "made_by", "made_at", "applied_at")
    VALUES ("p_account", "v_present", "p_plan", "p_now", "p_made_by", "p_now", "p_now");
    UPDATE "accounts" a SET "plan" = "p_plan" WHERE a."id" = "p_account";
    RETURN QUERY SELECT "v_present", "p_plan", NULL::text, "p_now";
  END IF;
END $$;
