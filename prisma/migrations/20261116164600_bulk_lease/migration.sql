-- Whoever works at a running job: the number of the lease, and until when the worker that has it should have been heard of.
-- A queued chunk names its lease, so that one that somebody else took up is left alone.
ALTER TABLE "bulk_jobs" ADD COLUMN "lease" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "leased_until" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- How long an address has taken lately, in milliseconds; null before the first chunk is done.
ALTER TABLE "bulk_jobs" ADD COLUMN "address_ms" REAL;
