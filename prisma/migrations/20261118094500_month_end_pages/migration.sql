-- Months are closed and invoices issued by pages of accounts: adjustments are found by the month that bills them, the
-- last statement by its account, and the two functions take a page.
CREATE INDEX "usage_adjustments_billed_month_account_id_idx" ON "usage_adjustments" ("billed_month", "account_id");
CREATE INDEX "manual_adjustments_billed_month_account_id_idx" ON "manual_adjustments" ("billed_month", "account_id");
DROP FUNCTION IF EXISTS "issue_invoices"(DATE);
DROP FUNCTION IF EXISTS "state_billing_month"(DATE, TEXT[]);
