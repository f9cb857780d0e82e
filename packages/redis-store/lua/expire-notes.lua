-- Gives notes their end, once: one that has an end keeps it. All notes of a round in one run, because a command for each
-- costs Redis and the worker more than the round's rows.
--
-- KEYS     notes
-- ARGV[1]  seconds
-- Returns  nothing

for i = 1, #KEYS do redis.call('EXPIRE', KEYS[i], ARGV[1], 'NX') end
