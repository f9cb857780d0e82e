-- Applies one change of an account's lists without carrying the lists. Only the very next version may come this way:
-- then the account in Redis differs from the one in Postgres by this change and by nothing else.
--
-- KEYS[1]  account hash
-- KEYS[2]  lists hash
-- ARGV[1]  version          of the account after the change
-- ARGV[2]  listsVersion     before the change
-- ARGV[3+] per entry: its field and its text, see list-fields.ts; no text when it was removed
-- Returns  1 written, 0 refused because what is here is newer or the same, -1 when a version lies between

local account, lists = KEYS[1], KEYS[2]
local version = tonumber(ARGV[1])

local present = redis.call('HMGET', account, 'v', 'lv')
if not present[1] then return -1 end
if tonumber(present[1]) >= version then return 0 end
if tonumber(present[1]) ~= version - 1 or present[2] ~= ARGV[2] then return -1 end

for i = 3, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', lists, ARGV[i])
  else
    redis.call('HSET', lists, ARGV[i], ARGV[i + 1])
  end
end
redis.call('HSET', account, 'v', ARGV[1], 'lv', ARGV[1], 'lists', redis.call('HLEN', lists))
packAccount(account)
return 1
