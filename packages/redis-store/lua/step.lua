-- Decides everything mutable about checks that came together: key status, rate, quota and lists, with the clock of
-- Redis. In a look nothing is written, and each group is decided as if it were alone. In a step those that pass are
-- counted, and the note of the batch says so; the job that carries their logs was inserted just before, in the same
-- transaction.
--
-- Redis does not roll a transaction back, so the order is the proof: what counts is written only if the job is there,
-- and a job without a note means nothing. Whatever comes between the two (an unknown script, no memory, a power cut)
-- leaves both or a job that means nothing. A batch that is sent again, because its reply was lost, is answered from its
-- note; the note outlives every moment at which that can happen, because a batch has a life of its own: one that
-- arrives later than that is refused.
--
-- KEYS of a step    note, job, and then like a look
-- KEYS of a look    per caller: account hash {v, plan, limit, rate, next, lists, k:<credential>, u:<month>,
--                   q:<month>:<key id>, t:<key id>, remembered, o: "<day> <count>", d: "<day> <count>", tracked,
--                   s: "<week> <count>", policies: "<live>/<shadow>"} and lists hash (see list-fields.ts); then the record of each group that has one,
--                   in their order; then the things of each check, in their order
-- ARGV[1]  JSON {born, life, remember, callers: [{credential, key}], groups: [{caller, count, subjects, once, from, scope}]}
--            born      microseconds of Redis' clock, by the sender's estimate; without it this is a look
--            life      microseconds around born in which the batch may run
--            remember  seconds for which records are kept
--            tests     checks a day with test keys, for an account
--            counts    true from a sender that can name the things of its checks
--            counting  {at, max, rules, bands} where some are named: how many keys come before theirs, how many members a
--                      thing has at most, per kind [hours, from, points, only beside a doubt], and the decisions with the
--                      least score of each
--            count     of checks
--            subjects  per check "address\nmailbox\ndomain\nip\ndigits" (mailbox empty where it is the address, digits of
--                      the IP in hexadecimal); only for an account with lists that asked ("subjects_needed")
--            things    {at, checks}: the number of its first key, and per check [score, whether there is a doubt, then per
--                      kind the member or false]; only for an account that counts repetitions and asked ("things_needed")
--            policies  versions of the account's policy whose rules the sender has at hand; it asks again with others where
--                      the account has others ("policy_needed")
--            pinned    versions that judge this group whatever the account has; '' for none
--            once      of a group with a record: {body, rest}, the hash of its request and what is kept for a replay
--            from      where it comes from, as hexadecimal digits; only for a key that asked ("ip_needed")
--            scope     of a look: what the key must be good for; a step is a check
-- Returns  JSON, see StepNoteSchema in contracts. All checks of a group are granted, or none.

local SECOND = 1000000

local request = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * SECOND + time[2]
local nowText = string.format('%.0f', now)
local isStep = request.born ~= nil
local at = isStep and 2 or 0

local function undone(why)
  return '{"v":2,"now":' .. nowText .. ',"undone":"' .. why .. '","callers":[],"groups":[]}'
end

if isStep then
  local note = redis.call('GET', KEYS[1])
  if note then return note end
  if math.abs(now - request.born) > request.life then return undone('stale') end
  if redis.call('EXISTS', KEYS[2]) == 0 then return undone('no_job') end
end

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
local month = string.sub(usedField, 3)

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
    'k:' .. caller.credential, 'next', 'tracked', 'policies')
  if not state[1] then return { state = 'absent' } end
  local terms = termsOf(state[9])
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

-- Why the terms of a key forbid a group, or nil.
local function forbiddenBy(terms, group)
  if terms.from and not group.from then return 'ip_needed' end
  if terms.from and not isWithin(terms.from, group.from) then return 'address' end
  local scope = isStep and 'check' or group.scope
  if terms.scopes and scope and not terms.scopes[scope] then return 'scope' end
end

-- The idempotency records of this day and their limit. A record lives for a day, so at most twice that many exist; only
-- asked for a request with an Idempotency-Key.
local today = string.format('%d', math.floor(time[1] / 86400))

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

-- The field of the network of a length such as "4/24" that holds an address, or nil for the other family.
local function networkField(length, digits)
  local family, bits = string.match(length, '^(%d)/(%d+)$')
  if (family == '4') ~= (#digits == 8) then return nil end
  local whole, spare = math.floor(bits / 4), bits % 4
  local prefix = string.sub(digits, 1, whole)
  if spare > 0 then
    local digit = tonumber(string.sub(digits, whole + 1, whole + 1), 16)
    prefix = prefix .. string.format('%x', digit - digit % 2 ^ (4 - spare))
  end
  return length .. ' ' .. prefix
end

-- The first of these fields that holds an entry, unless that has ended by this clock. A network names itself.
local function firstEntry(lists, fields)
  local found = redis.call('HMGET', lists, unpack(fields))
  for i = 1, #fields do
    local list, kind, untilText, text = string.match(found[i] or '', '^(%a+):(%a+):?(%d*):?(.*)$')
    if list and (untilText == '' or tonumber(untilText) > now) then
      return { list = list, kind = kind, value = text ~= '' and text or string.match(fields[i], '^mailbox (.*)$') or fields[i] }
    end
  end
end

-- The most specific entry wins: the address, its mailbox, its domain, each parent, the IP, then the longest network.
local function findMatch(lists, subject, lengths)
  local address, mailbox, domain, ip, digits =
    string.match(subject, '^([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)$')
  local candidates = { address, 'mailbox ' .. (mailbox == '' and address or mailbox) }
  local name = domain
  while name and string.find(name, '.', 1, true) do
    candidates[#candidates + 1] = name
    name = string.match(name, '^[^.]*%.(.+)$')
  end
  if ip ~= '' then candidates[#candidates + 1] = ip end
  local entry = firstEntry(lists, candidates)
  if entry or not lengths or digits == '' then return entry end
  local fields = {}
  for length in string.gmatch(lengths, '%S+') do fields[#fields + 1] = networkField(length, digits) end
  return #fields > 0 and firstEntry(lists, fields) or nil
end

-- Applies the customer's entry to a check, for the answer and the row: it overrides scoring.
local LISTED = { allow = '"decision":"allow","risk_score":0', block = '"decision":"block","risk_score":100' }

local function matchesOf(account, subjects)
  if not account.listed or not subjects then return '' end
  local matches = {}
  local lengths = redis.call('HGET', account.lists, 'networks')
  for i = 1, #subjects do
    local entry = findMatch(account.lists, subjects[i], lengths)
    if entry then
      matches[#matches + 1] = string.format('{"at":%d,"list":"%s","kind":"%s","value":%s,%s}', i - 1, entry.list,
        entry.kind, cjson.encode(entry.value), LISTED[entry.list])
    end
  end
  return #matches > 0 and '[' .. table.concat(matches, ',') .. ']' or ''
end

-- Repetitions. A thing is a string of those seen with it, the longest unseen first: a fingerprint of 6 characters and the
-- hour in 5 hexadecimal digits, which compare as they count. Each thing that a week writes counts towards the account's, so
-- at most twice that many exist; a thing beyond that is not counted, and its number is null.
local ENTRY, NAME = 11, 6
local counting = request.counting
local things, thingHours = {}, {}
local found, cutoffs, hourText, week, weekText

-- Reads all things of the batch, in parts that fit the stack of Lua.
local function readThings()
  local hour = math.floor(time[1] / 3600)
  week = math.floor(hour / 168)
  hourText, weekText = string.format('%05x', hour), string.format('%05x', week * 168)
  found, cutoffs = {}, {}
  for i, rule in ipairs(counting.rules) do cutoffs[i] = string.format('%05x', hour - rule[1]) end
  local first = at + counting.at
  for from = first + 1, #KEYS, 4000 do
    local part = redis.call('MGET', unpack(KEYS, from, math.min(from + 3999, #KEYS)))
    for i = 1, #part do found[from - first + i - 1] = part[i] or '' end
  end
end

local function writtenBy(account)
  if not account.written then
    local since, count = string.match(redis.call('HGET', account.key, 's') or '', '^(%d+) (%d+)$')
    account.written = tonumber(since) == week and tonumber(count) or 0
  end
  return account.written
end

-- Where a member begins, or nil.
local function findMember(members, member)
  local from = string.find(members, member, 1, true)
  while from and from % ENTRY ~= 1 do from = string.find(members, member, from + 1, true) end
  return from
end

local function see(account, position, member, rule)
  local key = KEYS[at + counting.at + position]
  local members = things[key] or found[position]
  local text = members
  if members == '' or string.sub(members, -5) < weekText then
    if writtenBy(account) >= account.tracked then return nil end
    account.written = account.written + 1
  end
  while text ~= '' and string.sub(text, NAME + 1, ENTRY) <= cutoffs[rule] do text = string.sub(text, ENTRY + 1) end
  local from = findMember(text, member)
  if not from then
    text = string.sub(text, -ENTRY * (counting.max - 1)) .. member .. hourText
  elseif string.sub(text, from + NAME, from + ENTRY - 1) ~= hourText then
    text = string.sub(text, 1, from - 1) .. string.sub(text, from + ENTRY) .. member .. hourText
  end
  if text ~= members then things[key], thingHours[key] = text, counting.rules[rule][1] end
  return #text / ENTRY
end

-- Counts the things of a check, adds the points of those that repeat, and returns the score. Repetitions never lift a
-- score to the highest band.
local function countThings(account, check, position)
  local counts, points, score, isBurst = {}, {}, check[1], false
  for i, rule in ipairs(counting.rules) do
    local member, count = check[i + 2], nil
    if member then
      count = see(account, position, member, i)
      position = position + 1
    end
    counts[i], points[i] = count or 'null', 'null'
    if count and count >= rule[2] and (check[2] or not rule[4]) then
      local highest = counting.bands[1][1]
      local added = math.min(rule[3], (check[1] < highest and highest - 1 or 100) - score)
      points[i], score, isBurst = added, score + added, true
    end
  end
  local text = '{"counts":[' .. table.concat(counts, ',') .. ']'
  if not isBurst then return text .. '}', position end
  local decision
  for _, band in ipairs(counting.bands) do
    if score >= band[1] then decision = band[2] break end
  end
  text = string.format('%s,"points":[%s],"decision":"%s","risk_score":%d}', text, table.concat(points, ','), decision, score)
  return text, position
end

local function seenOf(account, group)
  if not found then readThings() end
  local seen, position = {}, group.things.at
  for i, check in ipairs(group.things.checks) do seen[i], position = countThings(account, check, position) end
  return '[' .. table.concat(seen, ',') .. ']'
end

local callers = {}
for i, caller in ipairs(request.callers) do
  callers[i] = readCaller(KEYS[at + 2 * i - 1], KEYS[at + 2 * i], caller)
end
local nextRecord = at + 2 * #callers

-- Twins in one batch: the second finds what the first will leave.
local records, recordKeys = {}, {}

local function decide(group)
  local head = '{"caller":' .. group.caller .. ',"outcome":"'
  local caller = callers[group.caller + 1]
  local recordKey
  if group.once then
    nextRecord = nextRecord + 1
    recordKey = KEYS[nextRecord]
  end
  if caller.unknown then return head .. caller.state .. '","unknown":true}' end
  if caller.state ~= 'known' then return head .. caller.state .. '"}' end
  local account, rateField, countField, terms = caller.account, caller.rateField, caller.countField, caller.terms
  local why = terms ~= NO_TERMS and forbiddenBy(terms, group)
  if why then return head .. why .. '"}' end
  if recordKey then
    local record = records[recordKey] or redis.call('GET', recordKey)
    if record then return head .. 'replay","record":' .. cjson.encode(record) .. '}' end
  end

  -- A check of a test key is granted and logged like any other, and counts only towards its day.
  local isTest = terms.test ~= nil
  local count = group.count
  local metered = isTest and 0 or count
  local used = account.used + metered
  local keyUsed = account.counts[countField] + metered
  local spentUntil = account.spent[rateField] + count * caller.interval
  if used > account.limit and not isTest then return string.format('%squota","used":%d}', head, account.used) end
  if terms.quota and keyUsed > terms.quota then
    return string.format('%skey_quota","used":%d}', head, account.counts[countField])
  end
  if isTest and count > 0 and testedBy(account) + count > request.tests then
    return string.format('%stests","used":%d}', head, account.tested)
  end
  if spentUntil - now > SECOND then return string.format('%srate","used":%d}', head, account.used) end
  if recordKey and count > 0 and rememberedBy(account) + count > account.rememberedMax then
    return string.format('%sremembered","used":%d}', head, account.used)
  end
  if isStep and account.listed and not group.subjects then return head .. 'subjects_needed"}' end
  -- Only checks of customers' own requests repeat: a look, a bulk row and a test key count nothing.
  local isTracked = account.tracked and isStep and request.counts and not isTest and count > 0
  if isTracked and not group.things then return head .. 'things_needed"}' end
  local policies = group.pinned or account.policies
  if isStep and not group.pinned and policies ~= '' and policies ~= group.policies then
    return head .. 'policy_needed","policies":"' .. policies .. '"}'
  end
  local matches = matchesOf(account, group.subjects)
  local seen = isTracked and seenOf(account, group) or ''
  if isStep then
    account.used = used
    account.granted = account.granted + metered
    account.touched = true
    account.counts[countField] = keyUsed
    account.spent[rateField] = spentUntil
    if isTest then account.tested = testedBy(account) + count end
  end
  if isStep and recordKey then
    account.remembered = rememberedBy(account) + count
    records[recordKey] = group.once.body .. nowText .. matches
      .. (seen == '' and policies == '' and '' or '\t' .. (seen == '' and '[]' or seen))
      .. (policies == '' and '' or '\t' .. policies) .. '\n' .. group.once.rest
    recordKeys[#recordKeys + 1] = recordKey
  end
  local mode = isTest and ',"test":true' or ''
  if matches ~= '' then mode = mode .. ',"matches":' .. matches end
  if seen ~= '' then mode = mode .. ',"seen":' .. seen end
  if isStep and policies ~= '' then mode = mode .. ',"policies":"' .. policies .. '"' end
  return string.format('%sgranted","used":%d%s}', head, used, mode)
end

local groups = {}
for i, group in ipairs(request.groups) do groups[i] = decide(group) end

local views = {}
for i, caller in ipairs(callers) do
  if caller.state == 'known' then
    local account = caller.account
    local ahead = account.spent[caller.rateField] - now
    local quota = caller.terms.quota
    views[i] = string.format(
      '{"state":"known","plan":%s,"limit":%d,"rate":%d,"rate_left":%d,"rate_wait":%d,"used":%d%s%s}',
      cjson.encode(account.plan), account.limit, caller.rate,
      math.max(0, math.floor((SECOND - ahead) / caller.interval)),
      math.max(0, math.ceil(ahead + caller.interval - SECOND)), account.used,
      quota and string.format(',"key_limit":%d,"key_used":%d', quota, account.counts[caller.countField]) or '',
      caller.terms.test and ',"test":true' or '')
  else
    views[i] = '{"state":"' .. caller.state .. '"}'
  end
end
local note = '{"v":2,"now":' .. nowText .. ',"callers":[' .. table.concat(views, ',') .. '],"groups":['
  .. table.concat(groups, ',') .. ']}'

if isStep then
  redis.call('SET', KEYS[1], note)
  for _, account in pairs(accounts) do
    if account.touched then
      local fields = {}
      if account.granted > 0 then fields = { usedField, string.format('%.0f', account.used) } end
      for field, spentUntil in pairs(account.spent) do
        fields[#fields + 1] = field
        fields[#fields + 1] = string.format('%.0f', spentUntil)
      end
      for field, count in pairs(account.counts) do
        if count > 0 then
          fields[#fields + 1] = field
          fields[#fields + 1] = string.format('%.0f', count)
        end
      end
      if account.remembered then
        fields[#fields + 1] = 'o'
        fields[#fields + 1] = today .. ' ' .. string.format('%d', account.remembered)
      end
      if account.tested then
        fields[#fields + 1] = 'd'
        fields[#fields + 1] = today .. ' ' .. string.format('%d', account.tested)
      end
      if account.written then
        fields[#fields + 1] = 's'
        fields[#fields + 1] = string.format('%d %d', week, account.written)
      end
      redis.call('HSET', account.key, unpack(fields))
    end
  end
  for key, text in pairs(things) do redis.call('SET', key, text, 'EX', (thingHours[key] + 1) * 3600) end
  for _, key in ipairs(recordKeys) do redis.call('SET', key, records[key], 'EX', request.remember) end
end
return note
