-- What became of checked people: one row for a check or an address, with what was said of it before.
CREATE TABLE "outcomes" (
  "account_id" TEXT NOT NULL REFERENCES "accounts" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  -- A log id, or the keyed hash of a canonical address.
  "subject" TEXT NOT NULL,
  "outcome" TEXT NOT NULL CHECK ("outcome" IN ('genuine', 'abuse', 'bounced', 'complained')),
  "note" TEXT,
  -- The user or the key.
  "said_by" TEXT NOT NULL,
  "said_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The words before this one, newest first, at most 20.
  "history" JSONB NOT NULL DEFAULT '[]',
  PRIMARY KEY ("account_id", "subject")
);
-- Erasure finds the labels of a person in every account.
CREATE INDEX "outcomes_subject_idx" ON "outcomes" ("subject");
CREATE INDEX "outcomes_account_id_said_at_idx" ON "outcomes" ("account_id", "said_at");

-- Keys that say what became of people. No key has the scope until its owner grants it.
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scopes_check",
  ADD CONSTRAINT "api_keys_scopes_check"
    CHECK (cardinality("scopes") > 0 AND "scopes" <@ ARRAY['check', 'jobs', 'lists', 'outcomes', 'policies', 'usage']);
