-- Keyed hash of the mailbox behind an address that is another spelling of it. Most addresses are their mailbox, so the
-- index holds the others only.
ALTER TABLE "check_subjects" ADD COLUMN "mailbox_hash" TEXT;
CREATE INDEX "check_subjects_mailbox_hash_idx" ON "check_subjects" ("mailbox_hash") WHERE "mailbox_hash" IS NOT NULL;
