-- Looks at one queue in one atomic step: how much waits, and since when. Jobs move between the sets all the time, so
-- reading them one after the other could miss one.
--
-- KEYS[1..6]  wait, active, delayed, prioritized, paused, failed
-- ARGV[1]     start of the job hashes' keys
-- ARGV[2]     how many jobs may be looked at
-- Returns {wait, active, delayed, failed, oldest}: oldest is the timestamp in milliseconds of the oldest job, -1 when
--         there is none, 0 (older than everything) when there are too many to look at

local isList = { true, true, false, false, true, false }
local counts, total = {}, 0
for i = 1, 6 do
  counts[i] = redis.call(isList[i] and 'LLEN' or 'ZCARD', KEYS[i])
  total = total + counts[i]
end

local oldest = -1
if total > tonumber(ARGV[2]) then
  oldest = 0
else
  for i = 1, 6 do
    for _, id in ipairs(redis.call(isList[i] and 'LRANGE' or 'ZRANGE', KEYS[i], 0, -1)) do
      local timestamp = tonumber(redis.call('HGET', ARGV[1] .. id, 'timestamp') or '')
      if timestamp and (oldest == -1 or timestamp < oldest) then oldest = timestamp end
    end
  end
end
return { counts[1] + counts[4] + counts[5], counts[2], counts[3], counts[6], oldest }
