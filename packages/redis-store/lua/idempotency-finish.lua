-- Ends what idempotency-begin.lua began. Only the owner can: one that was taken over changes nothing.
--
-- KEYS[1]  marker hash
-- ARGV[1]  owner            the log id that the request brought to begin
-- ARGV[2]  "done"     the log is queued: the answer is replayed from now on
--          "release"  nobody knows whether the log was queued: a retry may take over at once, with the same log id
--          "abandon"  the log was certainly not queued: forget it. Call it BEFORE the refund; dying in between leaves a
--                     reservation for the sweeper, the other order would leave an answer without a row
-- Returns  1 when the caller was the owner, otherwise 0

local marker, outcome = KEYS[1], ARGV[2]
if redis.call('HGET', marker, 'owner') ~= ARGV[1] or redis.call('HEXISTS', marker, 'done') == 1 then return 0 end
if outcome == 'done' then
  redis.call('HSET', marker, 'done', '1')
elseif outcome == 'release' then
  redis.call('HSET', marker, 'lease', '0')
else
  redis.call('DEL', marker)
end
return 1
