-- Lets every account follow the changes whose time has come; returns how many accounts did.
CREATE OR REPLACE FUNCTION "apply_due_plan_changes"("p_now" TIMESTAMPTZ) RETURNS INTEGER LANGUAGE sql AS $$
  SELECT coalesce(sum("apply_due_plan_changes_of"(d."account_id", "p_now")), 0)::integer
  FROM (SELECT DISTINCT c."account_id" FROM "plan_changes" c
        WHERE c."applied_at" IS NULL AND c."withdrawn_at" IS NULL AND c."effective_at" <= "p_now" ORDER BY 1) d
$$;
