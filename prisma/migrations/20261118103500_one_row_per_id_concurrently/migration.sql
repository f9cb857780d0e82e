-- A check has one row in a month, whatever moment it comes with and however many workers store it. The primary key holds the
-- moment too, as partitions demand, so the index belongs to each partition alone; earlier months are left as they are, and so
-- is a month that has a double already, which the daily reconciliation names.
SELECT format('CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS %I ON %s ("id")', c.relname || '_one_row_per_id', c.oid::regclass) AS run
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'check_logs'::regclass AND c.relname >= 'check_logs_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')
  AND NOT EXISTS (
    SELECT FROM check_logs l WHERE l.tableoid = c.oid AND l.created_at >= date_trunc('month', now(), 'UTC')
    GROUP BY l.id HAVING count(*) > 1);
