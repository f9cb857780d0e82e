-- Accounts that were deleted: whom to keep no address of, whatever still comes in for them.
CREATE INDEX "plan_changes_departed_idx" ON "plan_changes" ("account_id") WHERE "to_plan" = 'none';
