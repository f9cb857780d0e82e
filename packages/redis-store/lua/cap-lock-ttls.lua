-- Cuts what a queue of BullMQ promises for longer than it can rightly be. A clock that was ahead for a moment leaves such
-- promises behind: the lock of a job, or the mark that lost jobs have just been looked for, then lasts for as long as the
-- clock of Redis was ahead, and a worker whose clock was puts a job off until a day that has not come.
--
-- KEYS[1]  the mark of who looks for lost jobs
-- KEYS[2]  the jobs in somebody's hands
-- KEYS[3]  the jobs that were put off, by BullMQ's due time: milliseconds * 4096 + a number that keeps their order
-- ARGV[1]  how the keys of jobs begin; their locks lie in the same slot
-- ARGV[2]  how long a lock lasts at most, ms
-- ARGV[3]  how long a job is put off at most, ms

local lock_ms = tonumber(ARGV[2])
if redis.call('PTTL', KEYS[1]) > lock_ms then redis.call('DEL', KEYS[1]) end

for _, id in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  local lock = ARGV[1] .. id .. ':lock'
  if redis.call('PTTL', lock) > lock_ms then redis.call('PEXPIRE', lock, lock_ms) end
end

local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local farthest = string.format('%.0f', (now_ms + tonumber(ARGV[3])) * 4096)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], farthest, '+inf', 'LIMIT', 0, 100)) do
  redis.call('ZADD', KEYS[3], string.format('%.0f', now_ms * 4096), id)
end
