-- Callers of the batch: the account of each, the terms of its key, and what both have used by the clock of Redis.
--
-- Uses   SECOND, request, now, isStep, isPreview, at, month, usedField, today
-- Gives  NO_TERMS; accounts, by key of the account hash; ofToday, readCaller, needsOf, forbiddenBy, rememberedBy, testedBy

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

-- The most that a check costs its key, see NAMES_OF_A_CHECK.
local WEIGHT_MAX = 4

-- Callers of one account share its count, and those of one key its own count and its rate.
local accounts = {}

-- What a step reads of the projection, see pack-account.lua. A release that does not write the record leaves an older
-- version in it, or none, and then the fields are read one by one.
local RECORD = '^(%d+)\n([^\n]*)\n(%d+)\n(%d+)\n(%d*)\n(%d*)\n([^\n]*)\n([^\n]*)\n(%d*)\n(.*)$'

local function projectedOf(accountKey, version, record)
  local of, plan, limit, rate, lists, tracked, policies, ownProxy, networks, next = string.match(record or '', RECORD)
  if of == version then return plan, limit, rate, lists, tracked, policies, ownProxy, networks, next end
  local fields = redis.call('HMGET', accountKey, 'plan', 'limit', 'rate', 'lists', 'tracked', 'policies', 'own_proxy',
    'ip_intelligence', 'next')
  for i = 1, 9 do fields[i] = fields[i] or '' end
  fields[1] = cjson.encode(fields[1])
  return unpack(fields)
end

local function readAccount(accountKey, listsKey, version, record, used)
  local plan, limit, rate, lists, tracked, policies, ownProxy, networks, next = projectedOf(accountKey, version, record)
  local account = {
    key = accountKey, lists = listsKey, limit = tonumber(limit), rate = tonumber(rate),
    view = '{"state":"known","plan":' .. plan .. ',"limit":' .. limit .. ',"rate":',
    listed = lists ~= '' and lists ~= '0', used = tonumber(used or '0'), granted = 0, spent = {}, counts = {},
    tracked = tracked ~= '' and tracked ~= '0' and tonumber(tracked), policies = policies, ownProxy = ownProxy,
    networks = networks ~= '0',
  }
  if next == '' then return account end
  -- A downgrade holds from its moment on by this clock, which also turns the month that it limits.
  next = cjson.decode(next)
  if next.from <= now then
    account.limit, account.rate = next.limit, next.rate
    account.view = string.format('{"state":"known","plan":%s,"limit":%d,"rate":', cjson.encode(next.plan), next.limit)
    account.rememberedMax, account.unmeteredMax = next.remembered, next.unmetered
    account.tracked = account.tracked and (next.tracked or account.tracked)
  end
  return account
end

local function readCaller(accountKey, listsKey, credential, key)
  local rateField, countField = 't:' .. key, 'q:' .. month .. ':' .. key
  local state = redis.call('HMGET', accountKey, 'v', 'p', usedField, rateField, countField, 'k:' .. credential)
  if not state[1] then return { state = 'absent' } end
  local terms = isPreview and NO_TERMS or termsOf(state[6])
  -- A rolled secret expires, before or after its key does.
  if not terms or (terms.ends and terms.ends <= now) then
    return { state = 'forbidden', unknown = not state[6] }
  end
  if terms.expires and terms.expires <= now then return { state = 'expired' } end
  local account = accounts[accountKey]
  if not account then
    account = readAccount(accountKey, listsKey, state[1], state[2], state[3])
    accounts[accountKey] = account
  end
  if not account.spent[rateField] then
    -- When the spent rate will have been earned back; a burst of one second is allowed, at four times its price where it
    -- weighs most. A value further ahead was written before the clock was set back: the rate restarts, or the key would be locked out.
    local spentUntil = tonumber(state[4] or '0')
    if spentUntil < now or spentUntil > now + WEIGHT_MAX * SECOND then spentUntil = now end
    account.spent[rateField] = spentUntil
    account.counts[countField] = tonumber(state[5] or '0')
  end
  local rate = terms.test and math.min(terms.test, account.rate) or account.rate
  return {
    state = 'known', account = account, rateField = rateField, countField = countField, terms = terms,
    rate = rate, interval = SECOND / rate,
    -- Its checks are limited by rate and quota alone.
    isUsual = isStep and terms == NO_TERMS and not account.listed and account.policies == '',
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

-- A count of this day.
local function ofToday(text)
  local day, count = string.match(text or '', '^(%d+) (%d+)$')
  return day == today and tonumber(count) or 0
end

-- The idempotency records of this day and their limit. A record lives for a day, so at most twice that many exist; only
-- asked for a request with an Idempotency-Key.
local function rememberedBy(account)
  if not account.remembered then
    local state = redis.call('HMGET', account.key, 'remembered', 'o')
    account.rememberedMax = account.rememberedMax or tonumber(state[1] or math.huge)
    account.remembered = ofToday(state[2])
  end
  return account.remembered
end

-- Checks that the test keys of an account had this day, and their limit.
local function testedBy(account)
  if not account.tested then
    local state = redis.call('HMGET', account.key, 'unmetered', 'd')
    account.unmeteredMax = account.unmeteredMax or tonumber(state[1] or request.unmetered)
    account.tested = ofToday(state[2])
  end
  return account.tested
end
