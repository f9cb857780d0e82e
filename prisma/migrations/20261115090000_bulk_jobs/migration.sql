-- Bulk jobs: a file of addresses, checked row by row ---------------------------------------------------------------------

CREATE TABLE "bulk_jobs" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  -- The key that its checks are charged to.
  "key_id" TEXT NOT NULL,
  "user_id" TEXT,
  "name" TEXT,
  "status" TEXT NOT NULL DEFAULT 'parsing'
    CHECK ("status" IN ('parsing', 'ready', 'running', 'paused', 'completed', 'canceled', 'failed', 'expired')),
  "paused_because" TEXT CHECK ("paused_because" IN ('request', 'quota', 'key_inactive')),
  "failed_because" TEXT,
  "idempotency_key" TEXT,
  -- csv, ndjson or json; and how the file was written, as JSON: a header may hold what jsonb does not take.
  "format" TEXT NOT NULL,
  "layout" TEXT NOT NULL DEFAULT '{}',
  "bytes" BIGINT NOT NULL DEFAULT 0,
  "rows" INTEGER NOT NULL DEFAULT 0,
  "malformed" INTEGER NOT NULL DEFAULT 0,
  -- Distinct addresses; and how many of them are done, always a whole number of chunks.
  "addresses" INTEGER NOT NULL DEFAULT 0,
  "done" INTEGER NOT NULL DEFAULT 0,
  "allowed" INTEGER NOT NULL DEFAULT 0,
  "challenged" INTEGER NOT NULL DEFAULT 0,
  "reviewed" INTEGER NOT NULL DEFAULT 0,
  "blocked" INTEGER NOT NULL DEFAULT 0,
  "unknown" INTEGER NOT NULL DEFAULT 0,
  -- The chunk that was begun: from "done" up to here, at this millisecond, for the so-manieth time. Noted before the step
  -- is taken, because log ids and the id of the batch derive from it.
  "chunk_to" INTEGER,
  "chunk_ms" BIGINT NOT NULL DEFAULT 0,
  "chunk_attempt" INTEGER NOT NULL DEFAULT 0,
  -- Addresses that DNS left unknown are asked again: in which round, and behind which address it is.
  "again_round" INTEGER NOT NULL DEFAULT 0,
  "again_after" INTEGER NOT NULL DEFAULT -1,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- An upload that has not been heard of for long is over.
  "touched_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "started_at" TIMESTAMPTZ(6),
  "finished_at" TIMESTAMPTZ(6),
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  -- Nobody sees it any more, and its rows are being deleted.
  "erased" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "bulk_jobs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX "bulk_jobs_account_id_idempotency_key_key" ON "bulk_jobs" ("account_id", "idempotency_key");
CREATE INDEX "bulk_jobs_account_id_created_at_id_idx" ON "bulk_jobs" ("account_id", "created_at", "id");
CREATE INDEX "bulk_jobs_status_idx" ON "bulk_jobs" ("status");

-- Every row of the file, in its order. "cells" is JSON and of type text: whatever a file holds, NUL and lone surrogates
-- included, is written there as an escape.
CREATE TABLE "bulk_rows" (
  "job_id" TEXT NOT NULL,
  "row" INTEGER NOT NULL,
  "cells" TEXT,
  "address" INTEGER,
  "error" TEXT,
  CONSTRAINT "bulk_rows_pkey" PRIMARY KEY ("job_id", "row"),
  CONSTRAINT "bulk_rows_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);

-- Each distinct address of a job, numbered without gaps in the order in which they first occur.
CREATE TABLE "bulk_addresses" (
  "job_id" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  -- Of the canonical address: finds the second of its kind, and everything about a person who asks to be erased.
  "hash" UUID,
  "email" TEXT,
  "decision" TEXT,
  "risk_score" SMALLINT,
  "disposable_email" BOOLEAN,
  "mx_valid" BOOLEAN,
  "free_provider" BOOLEAN,
  "reasons" JSONB,
  "log_id" TEXT,
  -- DNS could not answer; asked again at the end.
  "unknown" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "bulk_addresses_pkey" PRIMARY KEY ("job_id", "number"),
  CONSTRAINT "bulk_addresses_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
  -- A verdict is written into the page of its address.
) WITH (fillfactor = 45);
CREATE UNIQUE INDEX "bulk_addresses_hash_job_id_key" ON "bulk_addresses" ("hash", "job_id");
CREATE INDEX "bulk_addresses_unknown_idx" ON "bulk_addresses" ("job_id", "number") WHERE "unknown";
