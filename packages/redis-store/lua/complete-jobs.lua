-- Completes and removes jobs of a queue in one run. `finish` is the script of BullMQ that finishes one, as a function in
-- front of this text (see rounds-of-jobs.ts), so locks and events are its own.
--
-- KEYS     those of finish; the twelfth, which is the job, is filled in here
-- ARGV[1]  prefix of the keys of the queue
-- ARGV[2]  now, in milliseconds
-- ARGV[3]  id and token of each job, one after the other
-- Returns  for each job what finish returns: 0, or a negative code of BullMQ

local keys = {}
for i, key in ipairs(KEYS) do keys[i] = key end
local codes = {}
for at = 3, #ARGV, 2 do
  local options = cmsgpack.pack({ token = ARGV[at + 1], keepJobs = { count = 0 }, maxMetricsSize = "" })
  keys[12] = ARGV[1] .. ARGV[at]
  codes[#codes + 1] = finish(keys, { ARGV[at], ARGV[2], "returnvalue", "null", "completed", "0", ARGV[1], options })
end
return codes
