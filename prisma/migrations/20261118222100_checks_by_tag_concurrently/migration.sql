-- Finds the checks of one tag. It holds only checks that have one, so others cost it nothing.
CREATE INDEX IF NOT EXISTS "check_logs_tag_idx" ON ONLY "check_logs"
  ("account_id", "tag", "created_at", "id") WHERE "tag" IS NOT NULL;
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ("account_id", "tag", "created_at", "id") WHERE "tag" IS NOT NULL',
  c.relname || '_tag_idx', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_logs'::regclass;
SELECT format('ALTER INDEX "check_logs_tag_idx" ATTACH PARTITION %I', c.relname || '_tag_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_logs'::regclass;
