-- Entries for the mail servers behind domains, and the servers of each check beside its address, where they are erased with it.
ALTER TABLE "list_entries"
  DROP CONSTRAINT "list_entries_match_check",
  ADD CONSTRAINT "list_entries_match_check" CHECK ("match" IN ('exact', 'mailbox', 'mx'));
ALTER TABLE "check_subjects" ADD COLUMN "mx" TEXT;
