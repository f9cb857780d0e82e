-- The hours of a month before this agree with its rows: the daily comparison begins here instead of at the first of the month.
ALTER TABLE "billing_periods" ADD COLUMN "reconciled_to" TIMESTAMPTZ(0);
