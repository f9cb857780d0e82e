-- Takes up to so many of a queue's jobs in one run. `take` is the script of BullMQ that takes one, as a function in front of
-- this text (see rounds-of-jobs.ts), so locks, counters and events are its own.
--
-- The first is asked for in any case, because that is what brings back jobs whose next try is due.
--
-- KEYS     those of take; the first is the list of waiting jobs
-- ARGV[1]  prefix of the keys of the queue
-- ARGV[2]  now, in milliseconds
-- ARGV[3]  token of the lock
-- ARGV[4]  how long the lock lasts, in milliseconds
-- ARGV[5]  how many at most
-- Returns  id, data, time and options of each, one after the other

local options = cmsgpack.pack({ token = ARGV[3], lockDuration = tonumber(ARGV[4]) })
local found = {}
for i = 1, tonumber(ARGV[5]) do
  if i > 1 and redis.call("LLEN", KEYS[1]) == 0 then break end
  local job = take(KEYS, { ARGV[1], ARGV[2], options })
  if type(job[1]) ~= "table" then break end
  local fields = {}
  for at = 1, #job[1], 2 do fields[job[1][at]] = job[1][at + 1] end
  local last = #found
  found[last + 1] = job[2]
  found[last + 2] = fields.data or "{}"
  found[last + 3] = fields.timestamp or "0"
  found[last + 4] = fields.opts or "{}"
end
return found
