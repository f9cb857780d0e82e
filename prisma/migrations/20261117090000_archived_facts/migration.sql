-- The rows of a month that were written to a file and dropped: how many, and the checksum of that file.
ALTER TABLE "billing_periods" ADD COLUMN "archived_at" TIMESTAMPTZ(0), ADD COLUMN "archived_rows" BIGINT,
  ADD COLUMN "archived_sha256" TEXT;
