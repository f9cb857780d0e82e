-- The billing views ask for days of UTC. The index is of the hour, which never changes, so a rollup is still updated in its page.
CREATE INDEX IF NOT EXISTS "usage_hourly_day_idx" ON ONLY "usage_hourly" ((("hour" AT TIME ZONE 'UTC')::date));
SELECT format('CREATE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ((("hour" AT TIME ZONE ''UTC'')::date))',
  c.relname || '_day_idx', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'usage_hourly'::regclass;
SELECT format('ALTER INDEX "usage_hourly_day_idx" ATTACH PARTITION %I', c.relname || '_day_idx') AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'usage_hourly'::regclass;
SELECT format('ANALYZE %s', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'usage_hourly'::regclass;
