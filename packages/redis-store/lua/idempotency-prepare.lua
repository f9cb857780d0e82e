-- Notes the answer-to-be, just before the check's log is queued. From here on a retry either runs under the same log id
-- or replays this answer (see idempotency-begin.lua).
--
-- KEYS[1]  marker hash
-- ARGV[1]  owner            the log id that the request brought to begin
-- ARGV[2]  answer
-- ARGV[3]  lease in microseconds, counted anew
-- Returns  1 noted, 0 refused: somebody took the check over, so its log must not be queued

local owner = redis.call('HGET', KEYS[1], 'owner')
if owner ~= ARGV[1] or redis.call('HEXISTS', KEYS[1], 'done') == 1 then return 0 end
local time = redis.call('TIME')
local lease = string.format('%.0f', time[1] * 1000000 + time[2] + tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'answer', ARGV[2], 'lease', lease)
return 1
