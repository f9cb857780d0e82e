-- Entries of an account's own lists that checks meet. An entry overrides scoring, for the answer and the row.
--
-- Uses   now, request, NO_TERMS
-- Gives  matchesOf(account, subjects): the matches of a group as JSON text, '' for none, and how many checks more of the rate
--        looking for them costs; isStillMet(account, met); metText(account, extra), what a preview tells to be met later

-- Of a preview: an entry that is not on the list, {field, text, length, mx}; a network has a length, a mail server mx.
local pretended = request.pretended

-- The prefix lengths in use, such as "4/24 6/64", by the number of digits of an address: {text, whole digits, bits of the
-- digit behind those}.
local function readLengths(text)
  local lengths = { [8] = {}, [32] = {} }
  for family, bits in string.gmatch(text or '', '(%d)/(%d+)') do
    local spare = bits % 4
    local all = lengths[family == '4' and 8 or 32]
    all[#all + 1] = { family .. '/' .. bits .. ' ', (bits - spare) / 4, spare }
  end
  if pretended then
    for _, all in pairs(lengths) do
      table.sort(all, function(a, b) return a[2] * 4 + a[3] > b[2] * 4 + b[3] end)
    end
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

-- Names that were looked for, and the earliest end of an entry that was found.
local asked, ends = 0, math.huge

-- The first of these fields that holds an entry, unless that has ended by this clock. A network names itself.
local function firstEntry(lists, fields)
  local found = redis.call('HMGET', lists, unpack(fields))
  asked = asked + #fields
  for i = 1, #fields do
    local entry = pretended and pretended.field == fields[i] and pretended.text or found[i]
    if entry then
      local list, kind, untilText, text = string.match(entry, '^(%a+):(%a+):?(%d*):?(.*)$')
      if list and (untilText == '' or tonumber(untilText) > now) then
        if untilText ~= '' then ends = math.min(ends, tonumber(untilText)) end
        return { list = list, kind = kind, value = text ~= '' and text or string.match(fields[i], '^mailbox (.*)$') or string.match(fields[i], '^mx (.*)$') or fields[i] }
      end
    end
  end
end

-- The names of a domain that an entry may have: itself, and of its parents the eight shortest. Entries have nine labels at
-- most, and reading from the end makes a name of 126 labels cost no more than one of nine.
local PARENTS_MAX = 8

-- `word` comes before each name.
local function addNames(candidates, domain, word)
  candidates[#candidates + 1] = word .. domain
  local names, backwards = {}, string.reverse(domain)
  -- The last label alone is not a name.
  local dot = string.find(backwards, '.', 1, true)
  dot = dot and string.find(backwards, '.', dot + 1, true)
  while dot and #names < PARENTS_MAX do
    names[#names + 1] = string.sub(domain, 1 - dot)
    dot = string.find(backwards, '.', dot + 1, true)
  end
  for i = #names, 1, -1 do candidates[#candidates + 1] = word .. names[i] end
end

-- The entry of a domain's mail servers. One server on the block list is enough; the allow list has to name all of them, or
-- anybody could add a listed server to a domain that they own.
local function mailEntry(lists, hosts)
  local allowed, all = nil, true
  for host in string.gmatch(hosts, '%S+') do
    local names = {}
    addNames(names, host, 'mx ')
    local entry = firstEntry(lists, names)
    if entry and entry.list == 'block' then return entry end
    allowed, all = allowed or entry, all and entry ~= nil
  end
  return all and allowed
end

-- The most specific entry wins: the address, its mailbox, its domain, each parent, its mail servers, the IP, then the longest
-- network.
local function findMatch(lists, subject, lengths, hasMx)
  local address, mailbox, domain, ip, digits, hosts =
    string.match(subject, '^([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)$')
  local candidates = { address, 'mailbox ' .. (mailbox == '' and address or mailbox) }
  addNames(candidates, domain, '')
  if hasMx and hosts ~= '' then
    local entry = firstEntry(lists, candidates) or mailEntry(lists, hosts)
    if entry then return entry end
    candidates = {}
  end
  if ip ~= '' then candidates[#candidates + 1] = ip end
  for _, length in ipairs(lengths[#digits] or NO_TERMS) do
    local whole, bits = length[2], length[3]
    local field = length[1] .. string.sub(digits, 1, whole)
    if bits > 0 then field = field .. clearDigit(string.sub(digits, whole + 1, whole + 1), bits) end
    candidates[#candidates + 1] = field
  end
  return #candidates > 0 and firstEntry(lists, candidates) or nil
end

-- Applies the customer's entry to a check, for the answer and the row: it overrides scoring.
local LISTED = { allow = '"decision":"allow","risk_score":0', block = '"decision":"block","risk_score":100' }

-- Names that a check looks for at the price of one check; 64 is the most that it has.
local NAMES_OF_A_CHECK = 16

local function matchesOf(account, subjects)
  if not (account.listed or pretended) or not subjects then return '', 0 end
  local matches, extra = {}, 0
  local marks = redis.call('HMGET', account.lists, 'networks', 'mx')
  local networks, hasMx = marks[1], marks[2] or pretended and pretended.mx
  if pretended then networks = (networks or '') .. ' ' .. (pretended.length or '') end
  local lengths = readLengths(networks)
  for i = 1, #subjects do
    asked = 0
    local entry = findMatch(account.lists, subjects[i], lengths, hasMx)
    if entry then
      matches[#matches + 1] = string.format('{"at":%d,"list":"%s","kind":"%s","value":%s,%s}', i - 1, entry.list,
        entry.kind, cjson.encode(entry.value), LISTED[entry.list])
    end
    extra = extra + math.max(1, math.ceil(asked / NAMES_OF_A_CHECK)) - 1
  end
  return #matches > 0 and '[' .. table.concat(matches, ',') .. ']' or '', extra
end

-- Subjects of a large group are met before its step, a hundred a script: what they met holds while the lists are the same
-- and no entry of it has ended.
local function isStillMet(account, met)
  return met.lists == redis.call('HGET', account.key, 'lv') and (not met.ends or met.ends > now)
end

local function metText(account, extra)
  return string.format(',"met":{"lists":"%s","extra":%d', redis.call('HGET', account.key, 'lv') or '', extra)
    .. (ends < math.huge and string.format(',"ends":%.0f}', ends) or '}')
end
