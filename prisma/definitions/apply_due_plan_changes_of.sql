-- Lets an account follow the changes whose time has come; its version rises, so the outbox brings it to Redis.
CREATE OR REPLACE FUNCTION "apply_due_plan_changes_of"("p_account" TEXT, "p_now" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE plpgsql AS $$
BEGIN
  -- First the account's row, as every change does; whoever waited for it finds the change applied.
  PERFORM FROM "accounts" a WHERE a."id" = "p_account" FOR UPDATE;
  UPDATE "plan_changes" c SET "applied_at" = "p_now"
  WHERE c."account_id" = "p_account" AND c."applied_at" IS NULL AND c."withdrawn_at" IS NULL
    AND c."effective_at" <= "p_now";
  IF NOT FOUND THEN RETURN 0; END IF;
  UPDATE "accounts" a SET "plan" = "plan_in_force"("p_account", "p_now"), "version" = a."version" + 1
  WHERE a."id" = "p_account";
  RETURN 1;
END $$;
