-- Counts how often the mailbox, domain, shape and IP of a check were seen, and adds the points of what repeats.
--
-- Uses   TERMS (see step-script.ts), request, time, at, today, ofToday, ARGV[2] (per name the member and its hour, 11 characters), ARGV[3] and more (names)
-- Gives  counting; seenOf(account, owner, first thing, how many, expected counts, scores): the counts of a group, a character
--        for each kind of each check, and the points of what repeats as JSON text; thingsIn(expected counts); writeThings(),
--        which keeps what was seen

-- An account has a hash for the things of this week and one for those of the last, for even and for odd weeks,
-- and each expires with the week after its own. A thing is a string of those seen with it, the longest unseen first: a
-- fingerprint of 6 characters and the hour in 5 hexadecimal digits, which compare as they count. Beyond the things that the
-- account may have in a week, those seen once and longest ago are forgotten.
local counting = request.counting
local seenOf, thingsIn, writeThings

-- Most batches of accounts that count nothing pay for none of these functions.
if counting then
  local ENTRY, LAST, MEMBER, WEEK = 11, 10, 6, 168
  -- A value of this length makes a hash a table. A small one would be a list that Redis searches from its beginning.
  local TABLE = string.rep('-', 65)
  local sub, byte, FULL, KINDS = string.sub, string.byte, ENTRY * counting.max, request.kinds
  local hour = math.floor(time[1] / 3600)
  local week = math.floor(hour / WEEK)
  local hourText = string.format('%05x', hour)
  local owners, cutoffs, terms = {}, {}, nil
  local names, values = ARGV, ARGV[2]
  -- The sender wrote the hour of its estimate of this clock.
  if counting.hour ~= hourText then values = string.gsub(values, '(......).....', '%1' .. hourText) end

  -- Rules and bands, only read for what was seen before.
  local function readTerms()
    terms = terms or cjson.decode(TERMS)
    return terms
  end

  -- The first hour that counts for a kind: a window has its hours and the one that has begun.
  local function cutoffOf(kind)
    cutoffs[kind] = cutoffs[kind] or string.format('%05x', hour - readTerms().rules[kind][1])
    return cutoffs[kind]
  end

  -- The fields of these arguments, in parts that fit the stack of Lua; a part that fits is not copied.
  local function readFields(key, from, to)
    if to - from < 4000 then return redis.call('HMGET', key, unpack(ARGV, from, to)) end
    local all = {}
    for start = from, to, 4000 do
      local part = redis.call('HMGET', key, unpack(ARGV, start, math.min(start + 3999, to)))
      for i = 1, #part do all[#all + 1] = part[i] end
    end
    return all
  end

  -- Where in what is written the things are that occur twice in the batch: nowhere yet.
  local function placesOf(twins)
    if #twins == 0 then return nil end
    local places = {}
    for i = 1, #twins do places[twins[i]] = 0 end
    return places
  end

  -- All things of an account in the batch: those of this week, and of the last one where any is not in this.
  local function readThings(number)
    local before, count, twins = unpack(counting.owners[number])
    local first = at + counting.at + 2 * number - 1
    local this = KEYS[first + week % 2]
    local found, older, written = readFields(this, before + 3, before + 2 + count), {}, nil
    for i = 1, count do
      if not found[i] then
        written = redis.call('HLEN', this) - 1
        older = readFields(KEYS[first + (week + 1) % 2], before + 3, before + 2 + count)
        break
      end
    end
    return {
      key = this, before = before, ahead = before + 2, found = found, older = older, written = math.max(written or 0, 0),
      isNew = written == -1, places = placesOf(twins), fields = {}, size = 0,
    }
  end

  -- Where a member begins, or nil.
  local function findMember(members, member)
    local from = string.find(members, member, 1, true)
    while from and from % ENTRY ~= 1 do from = string.find(members, member, from + 1, true) end
    return from
  end

  -- Members with this one as the last seen. Where as many as are counted were seen in this hour, another changes no count.
  local function addMember(members, entry, kind)
    if members == entry or #members == FULL and sub(members, MEMBER + 1, ENTRY) == hourText then return members end
    local cutoff = cutoffOf(kind)
    while members ~= '' and sub(members, MEMBER + 1, ENTRY) < cutoff do members = sub(members, ENTRY + 1) end
    local from = findMember(members, sub(entry, 1, MEMBER))
    if not from then return sub(members, ENTRY - FULL) .. entry end
    if sub(members, from + MEMBER, from + ENTRY - 1) == hourText then return members end
    return sub(members, 1, from - 1) .. sub(members, from + ENTRY) .. entry
  end

  -- Counts a thing that was seen before, or is not to be counted, which is 0 here.
  local function countAgain(account, things, i, entry, kind)
    local name = names[things.ahead + i]
    if name == account.ownProxy then return 0 end
    local places, fields = things.places, things.fields
    local place = places and places[name] or 0
    local members = place > 0 and fields[place] or things.found[i]
    local text
    if members then
      text = addMember(members, entry, kind)
      if text == members then return #text / ENTRY end
    else
      things.written = things.written + 1
      local older = things.older[i]
      text = older and addMember(older, entry, kind) or entry
    end
    if place == 0 then
      place = things.size + 2
      fields[place - 1], things.size = name, place
      if places and places[name] then places[name] = place end
    end
    fields[place] = text
    return #text / ENTRY
  end

  -- The points of what repeats and the score with them as JSON text, or false. Repetitions never lift a score to the highest band.
  local function addPoints(counts, score, isDoubtful)
    local points, bands, isBurst = {}, readTerms().bands, false
    local most = score < bands[1][1] and bands[1][1] - 1 or 100
    for i, rule in ipairs(terms.rules) do
      points[i] = 'null'
      -- The letters of counts are digits to the base of 17; a dash is none.
      if (tonumber(sub(counts, i, i), 17) or 0) >= rule[2] and (isDoubtful or not rule[4]) then
        points[i], isBurst = math.min(rule[3], most - score), true
        score = score + points[i]
      end
    end
    if not isBurst then return false end
    local decision
    for _, band in ipairs(bands) do
      if score >= band[1] then decision = band[2] break end
    end
    return string.format('"points":[%s],"decision":"%s","risk_score":%d}', table.concat(points, ','), decision, score)
  end

  local COUNTS = {
    [0] = '-', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f', 'g',
  }

  local DASH, ONE = 45, 49

  -- Checks that repeat are alike, so what follows from the same counts is worked out once.
  local changed, pointsBy, kindsBy = {}, {}, {}

  -- Counts as text, with another count of one kind.
  local function withCount(counts, kind, count)
    local known = changed[counts]
    if not known then
      known = {}
      changed[counts] = known
    end
    local place = kind * 32 + count
    local text = known[place]
    if not text then
      text = sub(counts, 1, kind - 1) .. COUNTS[count] .. sub(counts, kind + 1)
      known[place] = text
    end
    return text
  end

  -- The points of what repeats by these counts, for a check with this score.
  local function pointsOf(counts, score)
    local known = pointsBy[counts]
    if not known then
      known = {}
      pointsBy[counts] = known
    end
    local points = known[score]
    if points == nil then
      points = string.find(counts, '[2-9a-g]') ~= nil
        and addPoints(counts, tonumber(sub(score, 1, 3)), byte(score, 4) == ONE)
      known[score] = points
    end
    return points
  end

  -- The kinds of a check's things, by their order. Most checks have the same few.
  local function kindsIn(expected)
    local kinds = kindsBy[expected]
    if kinds then return kinds end
    kinds = {}
    for kind = 1, KINDS do
      if byte(expected, kind) ~= DASH then kinds[#kinds + 1] = kind end
    end
    kindsBy[expected] = kinds
    return kinds
  end

  thingsIn = function(expected) return #kindsIn(expected) end

  -- Counts the things of one check from the first on, and returns its counts. One that was never seen goes from the arguments to
  -- the hash as it came, and counts 1.
  local function countThings(account, things, first, expected, kinds)
    local found, older, fields, places = things.found, things.older, things.fields, things.places
    local ahead, written, size = things.ahead, things.written, things.size
    local counts, ownProxy = expected, account.ownProxy
    local to = ENTRY * (things.before + first)
    for i = first, first + #kinds - 1 do
      local name, entry = names[ahead + i], sub(values, to - LAST, to)
      to = to + ENTRY
      if found[i] or older[i] or places and places[name] or name == ownProxy then
        local kind = kinds[i - first + 1]
        things.written, things.size = written, size
        local count = countAgain(account, things, i, entry, kind)
        written, size = things.written, things.size
        if count ~= 1 then counts = withCount(counts, kind, count) end
      else
        written, size = written + 1, size + 2
        fields[size - 1], fields[size] = name, entry
      end
    end
    things.written, things.size = written, size
    return counts
  end

  seenOf = function(account, number, first, _, expected, scores)
    local things = owners[number]
    if not things then
      things = readThings(number)
      things.account = account
      owners[number] = things
    end
    local texts, bursts, last = {}, '', #expected / KINDS - 1
    for check = 0, last do
      local own = last == 0 and expected or sub(expected, check * KINDS + 1, check * KINDS + KINDS)
      local kinds = kindsIn(own)
      local counts = countThings(account, things, first, own, kinds)
      first = first + #kinds
      if counts ~= own then
        own = counts
        local points = pointsOf(own, sub(scores, check * 4 + 1, check * 4 + 4))
        if points then bursts = bursts .. (bursts == '' and '[{"at":' or ',{"at":') .. check .. ',' .. points end
      end
      if last == 0 then return own, bursts == '' and '' or bursts .. ']' end
      texts[check + 1] = own
    end
    return table.concat(texts), bursts == '' and '' or bursts .. ']'
  end

  -- Forgets, of some things that Redis picks at random, those seen once and longest ago: an order of all would cost every check.
  local function forgetThings(things)
    local over = math.min(things.written - things.account.tracked, things.size)
    if over <= 0 then return end
    local isNew, known = {}, {}
    for i = 1, things.size, 2 do isNew[things.fields[i]] = true end
    local picked = redis.call('HRANDFIELD', things.key, 2 * over + 16, 'WITHVALUES')
    for i = 1, #picked, 2 do
      local name, members = picked[i], picked[i + 1]
      if name ~= '' and not isNew[name] then
        known[#known + 1] = (#members == ENTRY and '1' or '2') .. sub(members, MEMBER - ENTRY) .. name
      end
    end
    table.sort(known)
    local count = math.min(over, #known)
    for i = 1, count do known[i] = sub(known[i], ENTRY - MEMBER + 2) end
    for from = 1, count, 4000 do
      redis.call('HDEL', things.key, unpack(known, from, math.min(from + 3999, count)))
    end
    local account = things.account.key
    local forgotten = ofToday(redis.call('HGET', account, 'f')) + count
    redis.call('HSET', account, 'f', today .. ' ' .. string.format('%d', forgotten))
  end

  writeThings = function()
    for _, things in pairs(owners) do
      local fields, size = things.fields, things.size
      if things.isNew and size > 0 then
        redis.call('HSET', things.key, '', TABLE)
        redis.call('EXPIREAT', things.key, (week + 2) * WEEK * 3600)
      end
      for from = 1, size, 4000 do
        redis.call('HSET', things.key, unpack(fields, from, math.min(from + 3999, size)))
      end
      forgetThings(things)
    end
  end
end
