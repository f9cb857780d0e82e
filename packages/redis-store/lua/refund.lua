-- Gives checks back that were admitted but will never be logged. Refunding twice refunds once.
--
-- KEYS[1]  account hash
-- KEYS[2]  reserved zset
-- ARGV     per check: log id, month that it was charged to (of its created_at)
-- Returns  how many were refunded

local refunded = 0
for i = 1, #ARGV, 2 do
  if redis.call('ZREM', KEYS[2], ARGV[i]) == 1 then
    refunded = refunded + 1
    -- Without its counter the account is absent: it will be projected again from Postgres, where the check is not.
    if redis.call('HEXISTS', KEYS[1], 'u:' .. ARGV[i + 1]) == 1 then
      redis.call('HINCRBY', KEYS[1], 'u:' .. ARGV[i + 1], -1)
    end
  end
end
return refunded
