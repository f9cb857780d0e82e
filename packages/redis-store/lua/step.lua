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
--                   q:<month>:<key id>, t:<key id>, remembered, o: "<day> <count>", d: "<day> <count>", tracked, own_proxy,
--                   policies: "<live>/<shadow>"} and lists hash (see list-fields.ts); then the record of each group that has
--                   one, in their order; then, per account that counts things, its hashes of even and odd weeks
-- ARGV[1]  JSON {born, life, remember, callers: [{credential, key}], groups: [{caller, count, subjects, once, from, scope}]}
--            born      microseconds of Redis' clock, by the sender's estimate; without it this is a look
--            life      microseconds around born in which the batch may run
--            remember  seconds for which records are kept
--            tests     checks a day with test keys, for an account
--            counts    true from a sender that can name the things of its checks
--            counting  {at, owners, max, kinds, terms} where some are named: how many keys come before theirs, per account the
--                      first and last ARGV of its names, how many members a thing has at most, how many kinds there are,
--                      and JSON {rules: per kind [hours, from, points, only beside a doubt], bands: the decisions with the
--                      least score of each}
--            count     of checks
--            subjects  per check "address\nmailbox\ndomain\nip\ndigits" (mailbox empty where it is the address, digits of
--                      the IP in hexadecimal); only for an account with lists that asked ("subjects_needed")
--            things    [number of its account in owners, number of its first name there, then per check its score in 3 digits, 1 for a
--                      doubt or 0, and per kind a member of 6 characters or as many spaces]; only for an account that
--                      counts repetitions and asked ("things_needed")
--            policies  versions of the account's policy whose rules the sender has at hand; it asks again with others where
--                      the account has others ("policy_needed")
--            pinned    versions that judge this group whatever the account has; '' for none
--            once      of a group with a record: {body, rest}, the hash of its request and what is kept for a replay
--            from      where it comes from, as hexadecimal digits; only for a key that asked ("ip_needed")
--            scope     of a look: what the key must be good for; a step is a check
-- ARGV[2], ... names of things
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
    'k:' .. caller.credential, 'next', 'tracked', 'policies', 'own_proxy')
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
      ownProxy = state[13],
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

-- The prefix lengths in use, such as "4/24 6/64", by the number of digits of an address: {text, whole digits, bits of the
-- digit behind those}.
local function readLengths(text)
  local lengths = { [8] = {}, [32] = {} }
  for family, bits in string.gmatch(text or '', '(%d)/(%d+)') do
    local spare = bits % 4
    local all = lengths[family == '4' and 8 or 32]
    all[#all + 1] = { family .. '/' .. bits .. ' ', (bits - spare) / 4, spare }
  end
  return lengths
end

-- A hexadecimal digit with only its first bits; each is worked out once.
local CLEARED = { {}, {}, {} }

local function clearDigit(digit, bits)
  local known = CLEARED[bits]
  if not known[digit] then
    local value = tonumber(digit, 16)
    known[digit] = string.format('%x', value - value % 2 ^ (4 - bits))
  end
  return known[digit]
end

-- The first of these fields that holds an entry, unless that has ended by this clock. A network names itself.
local function firstEntry(lists, fields)
  local found = redis.call('HMGET', lists, unpack(fields))
  for i = 1, #fields do
    if found[i] then
      local list, kind, untilText, text = string.match(found[i], '^(%a+):(%a+):?(%d*):?(.*)$')
      if list and (untilText == '' or tonumber(untilText) > now) then
        return { list = list, kind = kind, value = text ~= '' and text or string.match(fields[i], '^mailbox (.*)$') or fields[i] }
      end
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
  for _, length in ipairs(lengths[#digits] or NO_TERMS) do
    local whole, bits = length[2], length[3]
    local field = length[1] .. string.sub(digits, 1, whole)
    if bits > 0 then field = field .. clearDigit(string.sub(digits, whole + 1, whole + 1), bits) end
    candidates[#candidates + 1] = field
  end
  return firstEntry(lists, candidates)
end

-- Applies the customer's entry to a check, for the answer and the row: it overrides scoring.
local LISTED = { allow = '"decision":"allow","risk_score":0', block = '"decision":"block","risk_score":100' }

local function matchesOf(account, subjects)
  if not account.listed or not subjects then return '' end
  local matches = {}
  local lengths = readLengths(redis.call('HGET', account.lists, 'networks'))
  for i = 1, #subjects do
    local entry = findMatch(account.lists, subjects[i], lengths)
    if entry then
      matches[#matches + 1] = string.format('{"at":%d,"list":"%s","kind":"%s","value":%s,%s}', i - 1, entry.list,
        entry.kind, cjson.encode(entry.value), LISTED[entry.list])
    end
  end
  return #matches > 0 and '[' .. table.concat(matches, ',') .. ']' or ''
end

-- Repetitions. An account has a hash for the things of this week and one for those of the last, for even and for odd weeks,
-- and each expires with the week after its own. A thing is a string of those seen with it, the longest unseen first: a
-- fingerprint of 6 characters and the hour in 5 hexadecimal digits, which compare as they count. A thing beyond those that
-- the account may have in a week is not counted, and its number is null.
local counting = request.counting
local seenOf, writeThings

-- Most batches count nothing, and pay for none of these functions.
if counting then
  local ENTRY, MEMBER, WEEK, NOBODY = 11, 6, 168, '      '
  -- A value of this length makes a hash a table. A small one would be a list that Redis searches from its beginning.
  local TABLE = string.rep('-', 65)
  local sub, FULL = string.sub, ENTRY * counting.max
  local hour = math.floor(time[1] / 3600)
  local week = math.floor(hour / WEEK)
  local hourText = string.format('%05x', hour)
  local owners, cutoffs, terms = {}, {}, nil

  -- Rules and bands, only read for what was seen before.
  local function readTerms()
    terms = terms or cjson.decode(counting.terms)
    return terms
  end

  -- The hour that was too long ago for a kind.
  local function cutoffOf(kind)
    cutoffs[kind] = cutoffs[kind] or string.format('%05x', hour - readTerms().rules[kind][1])
    return cutoffs[kind]
  end

  -- HMGET in parts that fit the stack of Lua; a part that fits is not copied.
  local function readFields(key, names, from, to)
    if to - from < 4000 then return redis.call('HMGET', key, unpack(names, from, to)) end
    local all = {}
    for start = from, to, 4000 do
      local part = redis.call('HMGET', key, unpack(names, start, math.min(start + 3999, to)))
      for i = 1, #part do all[#all + 1] = part[i] end
    end
    return all
  end

  -- All things of an account in the batch: those of this week, and of the others what the last week had.
  local function readThings(number)
    local from, to = unpack(counting.owners[number])
    local first = at + counting.at + 2 * number - 1
    local this = KEYS[first + week % 2]
    local found = readFields(this, ARGV, from, to)
    local older, missing, places, written = {}, {}, {}, nil
    for i = 1, #found do
      if not found[i] then
        local place = #missing + 1
        missing[place], places[place] = ARGV[from + i - 1], i
      end
    end
    if #missing > 0 then
      written = redis.call('HLEN', this) - 1
      local before = readFields(KEYS[first + (week + 1) % 2], missing, 1, #missing)
      for i = 1, #before do
        if before[i] then older[places[i]] = before[i] end
      end
    end
    return {
      key = this, from = from, found = found, older = older, written = math.max(written or 0, 0), isNew = written == -1, places = {}, fields = {},
    }
  end

  -- Where a member begins, or nil.
  local function findMember(members, member)
    local from = string.find(members, member, 1, true)
    while from and from % ENTRY ~= 1 do from = string.find(members, member, from + 1, true) end
    return from
  end

  -- Members with this one as the last seen. Where as many as are counted were seen in this hour, another changes no count.
  local function addMember(members, member, kind)
    if members == member .. hourText or #members == FULL and sub(members, MEMBER + 1, ENTRY) == hourText then
      return members
    end
    local cutoff = cutoffOf(kind)
    while members ~= '' and sub(members, MEMBER + 1, ENTRY) <= cutoff do members = sub(members, ENTRY + 1) end
    local from = findMember(members, member)
    if not from then return sub(members, ENTRY - FULL) .. member .. hourText end
    if sub(members, from + MEMBER, from + ENTRY - 1) == hourText then return members end
    return sub(members, 1, from - 1) .. sub(members, from + ENTRY) .. member .. hourText
  end

  local function see(account, things, position, member, kind)
    local name, fields = ARGV[things.from + position - 1], things.fields
    if name == account.ownProxy then return 0 end
    local place = things.places[name]
    local members = place and fields[place] or things.found[position]
    local text
    if members then
      text = addMember(members, member, kind)
      if text == members then return #text / ENTRY end
    else
      if things.written >= account.tracked then return 0 end
      things.written = things.written + 1
      local older = things.older[position]
      text = older and addMember(older, member, kind) or member .. hourText
    end
    if not place then
      place = #fields + 2
      things.places[name], fields[place - 1] = place, name
    end
    fields[place] = text
    return #text / ENTRY
  end

  -- The points of what repeats and the score with them, or nil. Repetitions never lift a score to the highest band.
  local function addPoints(score, isDoubtful, counts)
    local points, bands, isBurst = {}, readTerms().bands, false
    local most = score < bands[1][1] and bands[1][1] - 1 or 100
    for i, rule in ipairs(terms.rules) do
      points[i] = 'null'
      if counts[i] >= rule[2] and (isDoubtful or not rule[4]) then
        points[i], isBurst = math.min(rule[3], most - score), true
        score = score + points[i]
      end
    end
    if not isBurst then return nil end
    local decision
    for _, band in ipairs(bands) do
      if score >= band[1] then decision = band[2] break end
    end
    return string.format('],"points":[%s],"decision":"%s","risk_score":%d}', table.concat(points, ','), decision, score)
  end

  -- Lua takes long to write a number, and counts are few.
  local COUNTS = {
    [0] = 'null', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16',
  }
  local counts, texts = {}, {}

  -- Counts the things of a check; one that is not counted is 0 here. Returns the text, and the number of the next name.
  local function countThings(account, things, check, position)
    local highest = 0
    for kind = 1, counting.kinds do
      local member, count = sub(check, MEMBER * kind - 1, MEMBER * kind + 4), 0
      if member ~= NOBODY then
        count = see(account, things, position, member, kind)
        position = position + 1
        if count > highest then highest = count end
      end
      counts[kind], texts[kind] = count, COUNTS[count]
    end
    local rest = highest > 1 and addPoints(tonumber(sub(check, 1, 3)), sub(check, 4, 4) == '1', counts)
    return '{"counts":[' .. table.concat(texts, ',') .. (rest or ']}'), position
  end

  seenOf = function(account, group)
    local all, seen = group.things, {}
    local number, position = all[1], all[2]
    local things = owners[number] or readThings(number)
    owners[number] = things
    for i = 3, #all do seen[i - 2], position = countThings(account, things, all[i], position) end
    return '[' .. table.concat(seen, ',') .. ']'
  end

  writeThings = function()
    for _, things in pairs(owners) do
      local fields = things.fields
      if things.isNew and #fields > 0 then
        redis.call('HSET', things.key, '', TABLE)
        redis.call('EXPIREAT', things.key, (week + 2) * WEEK * 3600)
      end
      for from = 1, #fields, 4000 do
        redis.call('HSET', things.key, unpack(fields, from, math.min(from + 3999, #fields)))
      end
    end
  end
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
      redis.call('HSET', account.key, unpack(fields))
    end
  end
  if counting then writeThings() end
  for _, key in ipairs(recordKeys) do redis.call('SET', key, records[key], 'EX', request.remember) end
end
return note
