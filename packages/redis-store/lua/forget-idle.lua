-- Forgets what Postgres knows about an account that had no check for a while: its plan, credentials, lists and policy. Facts
-- that only Redis has stay: the counts of months and days, and the spent rates, so that the next projection continues them;
-- and for an hour the version, so that a writer which is late cannot bring a revoked key back.
--
-- KEYS[1]  account hash
-- KEYS[2]  lists hash
-- KEYS[3]  policies hash
-- ARGV[1]  seconds without a check
-- Returns  1 forgotten, 0 the account is in use, or was forgotten before

local account = KEYS[1]
local version = redis.call('HGET', account, 'v')
if not version then return 0 end
local seconds = redis.call('TIME')[1]
local since = (tonumber(seconds) - tonumber(ARGV[1])) * 1000000
local projected, state = {}, redis.call('HGETALL', account)
for i = 1, #state, 2 do
  local field = state[i]
  local kind = string.sub(field, 1, 2)
  if kind == 't:' then
    -- When the rate that the last check spent had been earned back.
    if tonumber(state[i + 1]) > since then return 0 end
  elseif kind ~= 'u:' and kind ~= 'q:' and field ~= 'o' and field ~= 'd' and field ~= 'f' then
    projected[#projected + 1] = field
  end
end
for from = 1, #projected, 4000 do
  redis.call('HDEL', account, unpack(projected, from, math.min(from + 3999, #projected)))
end
redis.call('HSET', account, 'was', version .. ' ' .. seconds)
redis.call('UNLINK', KEYS[2], KEYS[3])
return 1
