-- Replaces a remembered answer, unless it changed since it was looked at. The marker itself stays: without it a retry
-- with the same Idempotency-Key would count again.
--
-- KEYS[1]  marker hash (see idempotency-begin.lua)
-- ARGV[1]  answer as seen
-- ARGV[2]  answer to be
-- Returns  1 replaced, 0 it changed

if redis.call('HGET', KEYS[1], 'answer') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'answer', ARGV[2])
return 1
