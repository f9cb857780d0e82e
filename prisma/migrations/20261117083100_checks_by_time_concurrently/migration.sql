-- Reconciliation reads single days: without this each of them would read a whole month. Rows are stored in the order of time, so a
-- BRIN finds them and costs an insert next to nothing.
CREATE INDEX IF NOT EXISTS "check_logs_created_at_idx" ON ONLY "check_logs" USING brin ("created_at");
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s USING brin ("created_at")', c.relname || '_created_at_idx',
  c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_logs'::regclass;
SELECT format('ALTER INDEX "check_logs_created_at_idx" ATTACH PARTITION %I', c.relname || '_created_at_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'check_logs'::regclass;
