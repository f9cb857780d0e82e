-- Drops the reservations of checks that are in Postgres now, of any number of accounts. Settling twice changes nothing.
--
-- KEYS     reserved zset of each account
-- ARGV     per account: how many log ids follow, the log ids
-- Returns  how many reservations were dropped

-- Lua hands at most some thousand values to one call.
local AT_ONCE = 1000

local dropped, at = 0, 1
for account = 1, #KEYS do
  local last = at + tonumber(ARGV[at])
  for first = at + 1, last, AT_ONCE do
    dropped = dropped + redis.call('ZREM', KEYS[account], unpack(ARGV, first, math.min(first + AT_ONCE - 1, last)))
  end
  at = last + 1
end
return dropped
