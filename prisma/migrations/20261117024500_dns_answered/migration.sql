-- Jobs that are there already may have been answered.
ALTER TABLE "bulk_jobs" ADD COLUMN "dns_answered" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "bulk_jobs" ALTER COLUMN "dns_answered" SET DEFAULT false;
