-- Finds the checks that one rule decided. It holds only checks that some rule decided, so others cost it nothing.
CREATE INDEX IF NOT EXISTS "check_logs_rule_idx" ON ONLY "check_logs"
  ("account_id", "policy_version", "policy_rule", "created_at", "id") WHERE "policy_rule" IS NOT NULL;
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ("account_id", "policy_version", "policy_rule", "created_at", "id") WHERE "policy_rule" IS NOT NULL',
  c.relname || '_rule_idx', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_logs'::regclass;
SELECT format('ALTER INDEX "check_logs_rule_idx" ATTACH PARTITION %I', c.relname || '_rule_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_logs'::regclass;
