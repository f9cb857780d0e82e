-- Counts a verdict that is given without a check, against the day's allowance that an account shares with its test keys. One
-- past the allowance is refused and not counted. Run twice by a reconnect it counts twice, which errs on the safe side.
--
-- KEYS[1]  account hash {v, unmetered, next}; its field d holds "<day> <count>", which the step writes for test keys
-- ARGV[1]  the allowance of an account that does not say
-- Returns  {1, 0, 0, 0} taken, {0, used, limit, seconds until the day ends} refused, {-1, 0, 0, 0} when Redis has lost the account

local DAY, SECOND = 86400, 1000000
local version, unmetered, next, counted = unpack(redis.call('HMGET', KEYS[1], 'v', 'unmetered', 'next', 'd'))
if not version then return { -1, 0, 0, 0 } end
local time = redis.call('TIME')
local seconds = tonumber(time[1])
local limit = tonumber(unmetered or ARGV[1])
if next then
  next = cjson.decode(next)
  if next.from <= seconds * SECOND + time[2] then limit = next.unmetered or limit end
end
local today = string.format('%d', math.floor(seconds / DAY))
local day, count = string.match(counted or '', '^(%d+) (%d+)$')
local used = day == today and tonumber(count) or 0
if used >= limit then return { 0, used, limit, DAY - seconds % DAY } end
redis.call('HSET', KEYS[1], 'd', today .. ' ' .. string.format('%d', used + 1))
return { 1, 0, 0, 0 }
