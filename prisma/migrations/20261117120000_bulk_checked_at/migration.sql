-- created_at of the check of an address: an address that is scored again is judged by the rules of that instant.
ALTER TABLE "bulk_addresses" ADD COLUMN "checked_at" TIMESTAMPTZ(6);
