-- Why the account's invoices wait; null when they do not.
ALTER TABLE "billing_profiles" ADD COLUMN "hold_reason" TEXT;
