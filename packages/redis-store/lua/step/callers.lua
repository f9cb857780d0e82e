-- Callers of the batch: the account of each, the terms of its key, and what both have used by the clock of Redis.
--
-- Uses   SECOND, request, now, isStep, isPreview, at, month, usedField, today
-- Gives  NO_TERMS; accounts, by key of the account hash; readCaller, needsOf, forbiddenBy, rememberedBy, testedBy

-- The rights of a credential, see credential-status.ts; nil when it has none. Most keys have no limits, and only those
-- with some pay for reading them.
local NO_TERMS = {}

local function termsOf(status)
  if status == 'active' then return NO_TERMS end
  if not status then return nil end
  if string.byte(status) == 123 then return cjson.decode(status) end
  local untilText = string.match(status, '^until:(%d+)$')
  return untilText and { ends = tonumber(untilText) }
end

-- Callers of one account share its count, and those of one key its own count and its rate.
local accounts = {}

local function readCaller(accountKey, listsKey, caller)
  local rateField, countField = 't:' .. caller.key, 'q:' .. month .. ':' .. caller.key
  local state = redis.call('HMGET', accountKey, 'v', 'plan', 'limit', 'rate', 'lists', usedField, rateField, countField,
    'k:' .. caller.credential, 'next', 'tracked', 'policies', 'own_proxy',
    'ip_intelligence')
  if not state[1] then return { state = 'absent' } end
  local terms = isPreview and NO_TERMS or termsOf(state[9])
  -- A rolled secret expires, before or after its key does.
  if not terms or (terms.ends and terms.ends <= now) then
    return { state = 'forbidden', unknown = not state[9] }
  end
  if terms.expires and terms.expires <= now then return { state = 'expired' } end
  local account = accounts[accountKey]
  if not account then
    account = {
      key = accountKey, lists = listsKey, plan = state[2], limit = tonumber(state[3]), rate = tonumber(state[4]),
      listed = tonumber(state[5] or '0') > 0, used = tonumber(state[6] or '0'), granted = 0, spent = {}, counts = {},
      tracked = state[11] and state[11] ~= '0' and tonumber(state[11]), policies = state[12] or '',
      ownProxy = state[13], networks = state[14] ~= '0',
    }
    -- A downgrade holds from its moment on by this clock, which also turns the month that it limits.
    local next = state[10] and cjson.decode(state[10])
    if next and next.from <= now then
      account.plan, account.limit, account.rate = next.plan, next.limit, next.rate
      account.rememberedMax = next.remembered
      account.tracked = account.tracked and (next.tracked or account.tracked)
    end
    accounts[accountKey] = account
  end
  if not account.spent[rateField] then
    -- When the spent rate will have been earned back; a burst of one second is allowed. A value further ahead was
    -- written before the clock was set back: the rate restarts, or the key would be locked out.
    local spentUntil = tonumber(state[7] or '0')
    if spentUntil < now or spentUntil > now + SECOND then spentUntil = now end
    account.spent[rateField] = spentUntil
    account.counts[countField] = tonumber(state[8] or '0')
  end
  local rate = terms.test and math.min(terms.test, account.rate) or account.rate
  return {
    state = 'known', account = account, rateField = rateField, countField = countField, terms = terms,
    rate = rate, interval = SECOND / rate,
  }
end

-- Digits of the same length compare like the numbers that they are: IPv4 has 8 of them, IPv6 32.
local function isWithin(ranges, from)
  for _, range in ipairs(ranges) do
    if #range[1] == #from and range[1] <= from and from <= range[2] then return true end
  end
  return false
end

-- The parts that a step of this caller brings: "l" for subjects, "c" for things, "f" for where the caller is; and the versions of rules.
local function needsOf(caller)
  local account, terms = caller.account, caller.terms
  return ',"needs":"' .. (account.listed and 'l' or '')
    .. (account.tracked and request.counts and not terms.test and 'c' or '') .. (terms.from and 'f' or '')
    .. (account.policies == '' and '"' or '","policies":"' .. account.policies .. '"')
end

-- Why the terms of a key forbid a group, or nil.
local function forbiddenBy(terms, group)
  if terms.from and not isWithin(terms.from, group.from) then return 'address' end
  local scope = isStep and 'check' or group.scope
  if terms.scopes and scope and not terms.scopes[scope] then return 'scope' end
end

-- The idempotency records of this day and their limit. A record lives for a day, so at most twice that many exist; only
-- asked for a request with an Idempotency-Key.
local function ofToday(text)
  local day, count = string.match(text or '', '^(%d+) (%d+)$')
  return day == today and tonumber(count) or 0
end

local function rememberedBy(account)
  if not account.remembered then
    local state = redis.call('HMGET', account.key, 'remembered', 'o')
    account.rememberedMax = account.rememberedMax or tonumber(state[1] or math.huge)
    account.remembered = ofToday(state[2])
  end
  return account.remembered
end

-- Checks that the test keys of an account had this day.
local function testedBy(account)
  account.tested = account.tested or ofToday(redis.call('HGET', account.key, 'd'))
  return account.tested
end
