-- Gives back reservations that the sweeper found without a row, unless something happened to them since it looked.
--
-- KEYS[1]  account hash
-- KEYS[2]  reserved zset
-- KEYS[3]  swept zset      remembered for a day: a retry with an Idempotency-Key must know that the id is spent
-- KEYS[4]  held zset       ids that such a retry took over a moment ago
-- ARGV[1]  how long swept ids are remembered, in seconds
-- ARGV[2+] per reservation: log id, microseconds of its admission as seen, month that it was charged to
-- Returns  how many were given back

local account, reserved, swept, held = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local nowText = string.format('%.0f', now)
local forgotten = string.format('%.0f', now - tonumber(ARGV[1]) * 1000000)

redis.call('ZREMRANGEBYSCORE', held, '-inf', nowText)
redis.call('ZREMRANGEBYSCORE', swept, '-inf', forgotten)

local refunded = 0
for i = 2, #ARGV, 3 do
  local id, seen, field = ARGV[i], tonumber(ARGV[i + 1]), 'u:' .. ARGV[i + 2]
  local score = redis.call('ZSCORE', reserved, id)
  if score and tonumber(score) == seen and not redis.call('ZSCORE', held, id) then
    redis.call('ZREM', reserved, id)
    redis.call('ZADD', swept, nowText, id)
    -- Without its counter the account is absent: it will be projected again from Postgres, where the check is not.
    if redis.call('HEXISTS', account, field) == 1 then redis.call('HINCRBY', account, field, -1) end
    refunded = refunded + 1
  end
end
if refunded > 0 then redis.call('EXPIRE', swept, ARGV[1]) end
return refunded
