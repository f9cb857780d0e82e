-- The plan of an account at a moment; null before its first.
CREATE OR REPLACE FUNCTION "plan_in_force"("p_account" TEXT, "p_at" TIMESTAMPTZ) RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT c."to_plan" FROM "plan_changes" c
  WHERE c."account_id" = "p_account" AND c."effective_at" <= "p_at" AND c."withdrawn_at" IS NULL
  ORDER BY c."effective_at" DESC, c."id" DESC LIMIT 1
$$;
