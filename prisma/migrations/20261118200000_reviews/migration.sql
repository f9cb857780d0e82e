-- Checks that were decided `review` and wait for a person: a row goes when somebody says how the check turned out.
CREATE TABLE "reviews" (
  -- The log id.
  "id" TEXT PRIMARY KEY,
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "key_id" TEXT NOT NULL,
  -- Keyed hash of the canonical address: an outcome of the address closes its reviews.
  "email_hash" TEXT NOT NULL,
  -- That of the check.
  "created_at" TIMESTAMPTZ(6) NOT NULL,
  -- The session that looks at it, while the lease lasts.
  "claimed_by" TEXT,
  "lease" INTEGER NOT NULL DEFAULT 0,
  "leased_until" TIMESTAMPTZ(6) NOT NULL DEFAULT now()
);
CREATE INDEX "reviews_account_id_created_at_id_idx" ON "reviews" ("account_id", "created_at", "id");
CREATE INDEX "reviews_account_id_email_hash_idx" ON "reviews" ("account_id", "email_hash");
-- Erasure finds a person in every account.
CREATE INDEX "reviews_email_hash_idx" ON "reviews" ("email_hash");
