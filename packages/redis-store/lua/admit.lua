-- Decides everything mutable about checks that came together, in one round trip: one group per account and credential.
-- Asking twice with the same log id answers the same and counts once: ioredis re-sends commands after a reconnect.
--
-- Per group three keys:
--   account hash    {v, plan, limit, rate, lists, k:<credential>, u:<month>, t:<key id>}
--   reserved zset   log id -> microseconds at which it was admitted
--   lists hash      listed value -> "allow:<kind>" or "block:<kind>"
-- Per group in ARGV:
--   credential      what the caller showed: the tag of a secret, or a key id
--   key id          whose rate is spent
--   checks          how many follow; none at all only looks
--   per check       log id, subject ("address\ndomain\nip")
--
-- Returns one reply per group: {0} when the account is absent from this Redis, {1} when the credential is not active, an
-- error when this group alone could not be decided, otherwise
-- {2, plan, limit, rate, room in the rate window, microseconds until the rate allows again, now, checks used, and one
--  item per check}. The item of a check that was granted now and is on no list is the checks used with it; any other is
-- {outcome (1 granted, 2 quota used up, 3 too fast), checks used, microseconds, match ("" or "list:kind:value")}.

local SECOND = 1000000

local time = redis.call('TIME')
local now = time[1] * SECOND + time[2]
local nowText = string.format('%.0f', now)

-- Civil month of a day count since 1970, in integers (March-based years make February the last month).
local function monthOf(seconds)
  local z = math.floor(seconds / 86400) + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d', year, month)
end

local usedField = 'u:' .. monthOf(tonumber(time[1]))

-- The most specific entry wins: the address, then its domain, then each parent, then the IP.
local function matchLists(lists, subject)
  local address, domain, ip = string.match(subject, '^([^\n]*)\n([^\n]*)\n([^\n]*)$')
  local candidates = { address }
  local name = domain
  while name and string.find(name, '.', 1, true) do
    candidates[#candidates + 1] = name
    name = string.match(name, '^[^.]*%.(.+)$')
  end
  if ip ~= '' then candidates[#candidates + 1] = ip end
  local found = redis.call('HMGET', lists, unpack(candidates))
  for i = 1, #candidates do
    if found[i] then return found[i] .. ':' .. candidates[i] end
  end
  return ''
end

-- `at` is where the group's arguments begin.
local function admit(account, reserved, lists, at)
  local credential, keyId, count = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  local rateField = 't:' .. keyId
  local state = redis.call('HMGET', account, 'v', 'plan', 'limit', 'rate', 'lists', 'k:' .. credential, usedField, rateField)

  if not state[1] then return { 0 } end
  local status = state[6]
  if not status then return { 1 } end
  if status ~= 'active' then
    -- A secret that was rolled works until the microsecond after "until:".
    local untilText = string.match(status, '^until:(%d+)$')
    if not untilText or tonumber(untilText) <= now then return { 1 } end
  end

  local limit, rate = tonumber(state[3]), tonumber(state[4])
  local used = tonumber(state[7] or '0')
  local listed = tonumber(state[5] or '0') > 0
  local interval = SECOND / rate
  -- When the spent rate will have been earned back; a full second of it may be spent at once. Further ahead than that
  -- it was written by a clock that has been set back since: the rate starts anew, or the key would be locked out so long.
  local spentUntil = tonumber(state[8] or '0')
  if spentUntil < now or spentUntil > now + SECOND then spentUntil = now end

  local ids = {}
  for i = 1, count do ids[i] = ARGV[at + 1 + 2 * i] end
  local earlier = count > 0 and redis.call('ZMSCORE', reserved, unpack(ids)) or {}

  local reply = { 2, state[2], limit, rate, 0, 0, now, 0 }
  local reservations, granted = {}, 0
  for i = 1, count do
    local outcome, micros = 1, now
    if earlier[i] then
      micros = tonumber(earlier[i])
    elseif used >= limit then
      outcome = 2
    elseif spentUntil + interval - now > SECOND then
      outcome = 3
    else
      used = used + 1
      granted = granted + 1
      spentUntil = spentUntil + interval
      reservations[#reservations + 1] = nowText
      reservations[#reservations + 1] = ids[i]
    end
    local match = (outcome == 1 and listed) and matchLists(lists, ARGV[at + 2 + 2 * i]) or ''
    local usual = outcome == 1 and match == '' and not earlier[i]
    reply[8 + i] = usual and used or { outcome, used, micros, match }
  end

  if granted > 0 then
    redis.call('ZADD', reserved, unpack(reservations))
    redis.call('HSET', account, usedField, string.format('%.0f', used), rateField, string.format('%.0f', spentUntil))
  end

  reply[5] = math.max(0, math.floor((SECOND - (spentUntil - now)) / interval))
  reply[6] = math.max(0, math.ceil(spentUntil + interval - now - SECOND))
  reply[8] = used
  return reply
end

local replies, at = {}, 1
for group = 1, #KEYS / 3 do
  local key = 3 * group
  -- Another account's checks in the same batch have their own answer.
  local decided, reply = pcall(admit, KEYS[key - 2], KEYS[key - 1], KEYS[key], at)
  replies[group] = decided and reply or { err = reply }
  at = at + 3 + 2 * tonumber(ARGV[at + 2])
end
return replies
