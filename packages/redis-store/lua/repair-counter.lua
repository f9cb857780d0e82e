-- Corrects an account's count of one month, unless it moved since it was looked at.
--
-- KEYS[1]  account hash
-- ARGV[1]  field of the month
-- ARGV[2]  count as seen, "" for none
-- ARGV[3]  right count
-- Returns  1 corrected, 0 it moved

if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
