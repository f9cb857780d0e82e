-- Requests that were refused with 400, 401, 403 or 429, counted by key and hour for seven days, with a few samples.
-- Samples name fields and routes, never what was sent.
CREATE TABLE "refused_requests" (
  "account_id" TEXT NOT NULL,
  "key_id" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(6) NOT NULL,
  "status" INTEGER NOT NULL,
  "code" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "samples" JSONB NOT NULL,

  CONSTRAINT "refused_requests_pkey" PRIMARY KEY ("account_id", "key_id", "hour", "status", "code"),
  CONSTRAINT "refused_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "refused_requests_hour_idx" ON "refused_requests" ("hour");
