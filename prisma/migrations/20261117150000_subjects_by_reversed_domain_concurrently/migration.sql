-- A list entry for a domain covers its subdomains, and those share an end, not a beginning: the index holds domains from
-- their end, in the order of bytes, which any locale can search as a range. It replaces the one that only finds a domain itself.
CREATE INDEX IF NOT EXISTS "check_subjects_reversed_domain_idx" ON ONLY "check_subjects"
  ("account_id", reverse("domain") COLLATE "C", "created_at");
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ("account_id", reverse("domain") COLLATE "C", "created_at")',
  c.relname || '_reversed_domain_idx', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_subjects'::regclass;
SELECT format('ALTER INDEX "check_subjects_reversed_domain_idx" ATTACH PARTITION %I', c.relname || '_reversed_domain_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_subjects'::regclass;
DROP INDEX IF EXISTS "check_subjects_account_id_domain_created_at_idx";
