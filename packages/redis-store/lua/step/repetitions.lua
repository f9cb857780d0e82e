-- Counts how often the mailbox, domain, shape and IP of a check were seen, and adds the points of what repeats.
--
-- Uses   request, time, at
-- Gives  counting; seenOf(account, group): counts and points of a group as JSON text; writeThings(), which keeps what was seen

-- An account has a hash for the things of this week and one for those of the last, for even and for odd weeks,
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
