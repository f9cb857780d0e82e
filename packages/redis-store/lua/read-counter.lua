-- Reads an account's count of one month together with the batches that are queued in its shard, in one atomic step.
--
-- KEYS[1]   account hash
-- KEYS[2+]  lists and sorted sets that hold the ids of queued batches
-- ARGV[1]   field of the month
-- ARGV[2]   how many batches may be looked at
-- Returns   {} when the account is absent, otherwise {used or "" when that month has no count, 1 or 0 when there are
--           too many batches to tell, and their ids}

if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
local reply, complete = { redis.call('HGET', KEYS[1], ARGV[1]) or '', 1 }, true
for i = 2, #KEYS do
  local isSet = redis.call('TYPE', KEYS[i]).ok == 'zset'
  for _, id in ipairs(redis.call(isSet and 'ZRANGE' or 'LRANGE', KEYS[i], 0, tonumber(ARGV[2]))) do
    reply[#reply + 1] = id
  end
  complete = complete and #reply - 2 <= tonumber(ARGV[2])
end
if not complete then return { reply[1], 0 } end
return reply
