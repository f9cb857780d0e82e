-- Writes what Postgres knows about an account into Redis. An older version never replaces a newer one, so racing
-- writers and retries cannot bring a revoked key back.
--
-- KEYS[1]  account hash
-- ARGV[1]  version          rises with every change
-- ARGV[2]  plan
-- ARGV[3]  limit            checks per month
-- ARGV[4]  rate             checks per second and key
-- ARGV[5]  month            that the count in ARGV[6] belongs to
-- ARGV[6]  used             from the rollups; taken only when the account is absent, because the counter here is newer
-- ARGV[7+] per credential: name, status ("active", "inactive" or "until:<microseconds>")
-- Returns  1 written, 0 refused because what is here is newer or the same

local account = KEYS[1]
local present = redis.call('HGET', account, 'v')
if present and tonumber(present) >= tonumber(ARGV[1]) then return 0 end

if present then
  for _, field in ipairs(redis.call('HKEYS', account)) do
    if string.sub(field, 1, 2) == 'k:' then redis.call('HDEL', account, field) end
  end
else
  redis.call('HSET', account, 'u:' .. ARGV[5], ARGV[6])
end

redis.call('HSET', account, 'v', ARGV[1], 'plan', ARGV[2], 'limit', ARGV[3], 'rate', ARGV[4])
for i = 7, #ARGV, 2 do redis.call('HSET', account, 'k:' .. ARGV[i], ARGV[i + 1]) end
return 1
