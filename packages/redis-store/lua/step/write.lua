-- Writes what a step granted: the job, then the note, then the counts. An error ends the run before anything counts.
--
-- Uses     callers, groups, isGranted, records, recordKeys, accounts, counting, writeThings, insert and begin.lua
-- Returns  the note

local views = {}
for i, caller in ipairs(callers) do
  if caller.state == 'known' then
    local account = caller.account
    local ahead = account.spent[caller.rateField] - now
    local quota = caller.terms.quota
    views[i] = account.view .. string.format('%d,"rate_left":%d,"rate_wait":%d,"used":%d', caller.rate,
        math.max(0, math.floor((SECOND - ahead) / caller.interval)),
        math.max(0, math.ceil(ahead + caller.interval - SECOND)), account.used)
      .. (quota and string.format(',"key_limit":%d,"key_used":%d', quota, account.counts[caller.countField]) or '')
      .. (caller.terms.test and ',"test":true' or '') .. (isStep and '' or needsOf(caller)) .. '}'
  else
    views[i] = '{"state":"' .. caller.state .. '"}'
  end
end
local note = '{"v":3,"now":' .. nowText .. ',"callers":[' .. table.concat(views, ',') .. '],"groups":['
  .. table.concat(groups, ',') .. ']}'

local function part(list, from)
  local found = {}
  for i = from, #list do found[#found + 1] = list[i] end
  return found
end

if isGranted then
  insert(part(KEYS, request.insert[1]), part(ARGV, request.insert[2]))
  if redis.call('EXISTS', KEYS[2]) == 0 then return undone('no_job') end
  redis.call('SET', KEYS[1], note)
  for _, account in pairs(accounts) do
    if account.touched then
      local fields = {}
      -- Redis writes whole numbers of up to 17 digits as they are.
      if account.granted > 0 then fields = { usedField, account.used } end
      for field, spentUntil in pairs(account.spent) do
        fields[#fields + 1] = field
        fields[#fields + 1] = math.floor(spentUntil)
      end
      for field, count in pairs(account.counts) do
        if count > 0 then
          fields[#fields + 1] = field
          fields[#fields + 1] = count
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
