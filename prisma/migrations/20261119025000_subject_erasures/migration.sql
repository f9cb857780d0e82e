-- People whom an account has erased, without their addresses: work for the worker, then the receipt. Checks from before that are
-- stored later, such as dead letters, are erased by the same row.
CREATE TABLE "subject_erasures" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  -- Keyed hashes of the spellings of the address.
  "hashes" TEXT[] NOT NULL,
  -- Those by which files know it.
  "file_hashes" UUID[] NOT NULL,
  "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "done_at" TIMESTAMPTZ(6),
  "checks" BIGINT NOT NULL DEFAULT 0,
  "file_rows" BIGINT NOT NULL DEFAULT 0,
  "lease" INTEGER NOT NULL DEFAULT 0,
  "leased_until" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX "subject_erasures_account_id_idx" ON "subject_erasures" ("account_id");
CREATE INDEX "subject_erasures_requested_at_idx" ON "subject_erasures" ("requested_at");
CREATE INDEX "subject_erasures_waiting_idx" ON "subject_erasures" ("leased_until") WHERE "done_at" IS NULL;
