-- A search by the beginning of an address, and one by an IP or a network, read a range of these in the order of bytes. Without
-- them each read every address of the period.
CREATE INDEX IF NOT EXISTS "check_subjects_email_idx" ON ONLY "check_subjects"
  ("account_id", lower("email") COLLATE "C", "created_at") WHERE "email" IS NOT NULL;
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ("account_id", lower("email") COLLATE "C", "created_at") WHERE "email" IS NOT NULL',
  c.relname || '_email_idx', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_subjects'::regclass;
SELECT format('ALTER INDEX "check_subjects_email_idx" ATTACH PARTITION %I', c.relname || '_email_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_subjects'::regclass;
CREATE INDEX IF NOT EXISTS "check_subjects_ip_idx" ON ONLY "check_subjects"
  ("account_id", "ip" COLLATE "C", "created_at") WHERE "ip" IS NOT NULL;
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ("account_id", "ip" COLLATE "C", "created_at") WHERE "ip" IS NOT NULL',
  c.relname || '_ip_idx', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_subjects'::regclass;
SELECT format('ALTER INDEX "check_subjects_ip_idx" ATTACH PARTITION %I', c.relname || '_ip_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_subjects'::regclass;
