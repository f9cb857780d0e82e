-- Replaces what a request with an Idempotency-Key left, unless it changed since it was looked at. The record itself
-- stays: without it a retry would count again.
--
-- KEYS[1]  record (see step/decide.lua)
-- ARGV[1]  as seen
-- ARGV[2]  to be
-- Returns  1 replaced, 0 it changed

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
