-- Entries for networks, for every spelling of a mailbox, and with an end.
ALTER TABLE "list_entries"
  DROP CONSTRAINT "list_entries_kind_check",
  ADD CONSTRAINT "list_entries_kind_check" CHECK ("kind" IN ('address', 'domain', 'ip', 'network')),
  ADD COLUMN "match" TEXT NOT NULL DEFAULT 'exact' CHECK ("match" IN ('exact', 'mailbox')),
  ADD COLUMN "expires_at" TIMESTAMPTZ(6);
CREATE UNIQUE INDEX "list_entries_account_id_value_match_key" ON "list_entries" ("account_id", "value", "match");
DROP INDEX "list_entries_account_id_value_key";
CREATE INDEX "list_entries_expires_at_idx" ON "list_entries" ("expires_at");
