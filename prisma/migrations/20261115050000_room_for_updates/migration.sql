-- Rows that are counted up again and again. With room left in its page a new version of such a row stays beside the old
-- one, and no index has to learn a new place; without it nine of ten updates touch every index of the table.
ALTER TABLE "usage_hourly" SET (fillfactor = 50);
ALTER TABLE "api_keys" SET (fillfactor = 70);
