-- Reads an account's count of one month together with what is still on its way, in one atomic step.
--
-- KEYS[1]  account hash
-- KEYS[2]  reserved zset
-- ARGV[1]  field of the month
-- ARGV[2], ARGV[3]  first and last microsecond of the month
-- Returns  {} when the account is absent, otherwise {used or "" when that month has no count, and of the month's
--          reservations log id, microseconds, ...}

if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return {} end
local reply = redis.call('ZRANGEBYSCORE', KEYS[2], ARGV[2], ARGV[3], 'WITHSCORES')
table.insert(reply, 1, redis.call('HGET', KEYS[1], ARGV[1]) or '')
return reply
