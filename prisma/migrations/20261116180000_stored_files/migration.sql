-- A large file is stored as it arrives and parsed afterwards, so that its sender does not wait for the last row.
CREATE TABLE "bulk_files" (
  "job_id" TEXT NOT NULL REFERENCES "bulk_jobs" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "part" INTEGER NOT NULL,
  "bytes" BYTEA NOT NULL,
  PRIMARY KEY ("job_id", "part")
);
ALTER TABLE "bulk_jobs"
  ADD COLUMN "starts" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "stored" TEXT,
  ADD COLUMN "failed_code" TEXT;
