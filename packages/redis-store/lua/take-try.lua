-- Counts a verdict that is given without a check, against the day's allowance that an account shares with its test keys. One
-- past the allowance is refused and not counted. Run twice by a reconnect it counts twice, which errs on the safe side.
--
-- KEYS[1]  account hash; its field d holds "<day> <count>", which the step writes for test keys
-- ARGV[1]  the allowance
-- Returns  {1, 0, 0} taken, {0, used, seconds until the day ends} refused, {-1, 0, 0} when Redis has lost the account

local DAY = 86400
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return { -1, 0, 0 } end
local seconds = tonumber(redis.call('TIME')[1])
local today = string.format('%d', math.floor(seconds / DAY))
local day, count = string.match(redis.call('HGET', KEYS[1], 'd') or '', '^(%d+) (%d+)$')
local used = day == today and tonumber(count) or 0
if used >= tonumber(ARGV[1]) then return { 0, used, DAY - seconds % DAY } end
redis.call('HSET', KEYS[1], 'd', today .. ' ' .. string.format('%d', used + 1))
return { 1, 0, 0 }
