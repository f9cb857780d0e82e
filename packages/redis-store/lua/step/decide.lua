-- Decides each group of checks: granted or refused as a whole, or answered by the record of an earlier request.
--
-- Uses   all of the files before it
-- Gives  callers, groups (their notes as JSON text), isGranted for any of them; records and recordKeys, the records to be kept, by key and in order

local callers, owners = {}, {}
for credential, key, owner in string.gmatch(request.callers, '(%S*) (%S*) (%d*)\n') do
  local i = #callers + 1
  callers[i] = readCaller(KEYS[at + 2 * i - 1], KEYS[at + 2 * i], credential, key)
  owners[i] = tonumber(owner)
end
local nextRecord = at + 2 * #callers

-- Twins in one batch: the second finds what the first will leave.
local records, recordKeys = {}, {}
local isGranted = false

-- Tells what checks would meet now, as the step would find it.
local function previewOf(head, account, group)
  local matches, extra = matchesOf(account, group.subjects)
  local counts, bursts = '', ''
  if account.tracked and group.things then counts, bursts = seenOf(account, unpack(group.things)) end
  return head .. 'granted"' .. (matches == '' and '' or ',"matches":' .. matches)
    .. (counts == '' and '' or ',"counts":"' .. counts .. '"') .. (bursts == '' and '' or ',"bursts":' .. bursts)
    .. (account.policies == '' and '' or ',"policies":"' .. account.policies .. '"')
    .. (account.networks and '' or ',"networks":false') .. metText(account, extra) .. '}'
end

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
  if terms.from and not group.from then return head .. 'needs"' .. needsOf(caller) .. '}' end
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
  if isPreview then return previewOf(head, account, group) end
  if used > account.limit and not isTest then return string.format('%squota","used":%d}', head, account.used) end
  if terms.quota and keyUsed > terms.quota then
    return string.format('%skey_quota","used":%d}', head, account.counts[countField])
  end
  if isTest and count > 0 and testedBy(account) + count > account.unmeteredMax then
    return string.format('%stests","used":%d,"limit":%d}', head, account.tested, account.unmeteredMax)
  end
  if spentUntil - now > SECOND then return string.format('%srate","used":%d}', head, account.used) end
  if recordKey and count > 0 and rememberedBy(account) + count > account.rememberedMax then
    return string.format('%sremembered","used":%d}', head, account.used)
  end
  -- Only checks of customers' own requests repeat: a look, a bulk row and a test key count nothing.
  local isTracked = account.tracked and isStep and request.counts and not isTest and count > 0
  local policies = group.pinned or account.policies
  local met = account.listed and group.met and isStillMet(account, group.met) and group.met
  if isStep and (account.listed and not (group.subjects or met) or isTracked and not group.things
    or policies ~= '' and policies ~= (group.pinned or group.policies)) then
    return head .. 'needs"' .. needsOf(caller) .. '}'
  end
  local matches, extra = matchesOf(account, group.subjects)
  if met then matches, extra = met.matches, met.extra end
  local counts, bursts = '', ''
  if isTracked then counts, bursts = seenOf(account, unpack(group.things)) end
  if isStep then
    isGranted = true
    account.used = used
    account.granted = account.granted + metered
    account.touched = true
    account.counts[countField] = keyUsed
    -- Only paid for by what comes next, so that a batch of a second's rate passes whatever it weighs.
    account.spent[rateField] = spentUntil + extra * caller.interval
    if isTest then account.tested = testedBy(account) + count end
  end
  if isStep and recordKey then
    account.remembered = rememberedBy(account) + count
    records[recordKey] = group.once.body .. nowText .. matches
      .. (counts == '' and policies == '' and '' or '\t' .. counts .. bursts)
      .. (policies == '' and '' or '\t' .. policies) .. '\n' .. group.once.rest
    recordKeys[#recordKeys + 1] = recordKey
  end
  local mode = isTest and ',"test":true' or ''
  if matches ~= '' then mode = mode .. ',"matches":' .. matches end
  if counts ~= '' then mode = mode .. ',"counts":"' .. counts .. '"' end
  if bursts ~= '' then mode = mode .. ',"bursts":' .. bursts end
  if isStep and policies ~= '' then mode = mode .. ',"policies":"' .. policies .. '"' end
  return string.format('%sgranted","used":%d%s}', head, used, mode)
end

-- Decides a usual check, by rate and quota of its caller alone; every other is a group of one.
local function decideUsual(number, owner, first, count, expected, scores)
  local caller = callers[number + 1]
  if caller.isUsual then
    local account, rateField = caller.account, caller.rateField
    local used, spentUntil = account.used + 1, account.spent[rateField] + caller.interval
    local isTracked = account.tracked and request.counts
    if used <= account.limit and spentUntil - now <= SECOND and (first or not isTracked) then
      local head = '{"caller":' .. number .. ',"outcome":"granted","used":' .. used
      account.used, account.granted, account.touched, isGranted = used, account.granted + 1, true, true
      account.counts[caller.countField] = account.counts[caller.countField] + 1
      account.spent[rateField] = spentUntil
      if not isTracked then return head .. '}' end
      local counts, bursts = seenOf(account, owner, first, count, expected, scores)
      if bursts == '' then return head .. ',"counts":"' .. counts .. '"}' end
      return head .. ',"counts":"' .. counts .. '","bursts":' .. bursts .. '}'
    end
  end
  return decide({ caller = number, count = 1, things = first and { owner, first, count, expected, scores } })
end

-- Things of a check come behind those of the checks before it.
local nextThing = {}

local function decideRun(run, groups)
  local kinds = request.kinds
  for from = 1, #run, 7 + kinds do
    local number, expected = tonumber(string.sub(run, from, from + 2)), string.sub(run, from + 7, from + 6 + kinds)
    local owner, first, count = owners[number + 1], nil, nil
    if owner and string.byte(expected) ~= 46 then
      first, count = nextThing[owner] or 1, thingsIn(expected)
      nextThing[owner] = first + count
    end
    groups[#groups + 1] = decideUsual(number, owner, first, count, expected,
      string.sub(run, from + 3, from + 6))
  end
end

local groups = {}
for _, group in ipairs(request.groups) do
  if type(group) == 'string' then
    decideRun(group, groups)
  else
    if group.things then nextThing[group.things[1]] = group.things[2] + group.things[3] end
    groups[#groups + 1] = decide(group)
  end
end
