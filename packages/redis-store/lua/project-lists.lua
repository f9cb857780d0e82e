-- Replaces an account's allow and block entries. Like the account itself, an older version never replaces a newer one.
--
-- KEYS[1]  account hash
-- KEYS[2]  lists hash
-- ARGV[1]  version of the lists
-- ARGV[2+] per entry: value, "<list>:<kind>"
-- Returns  1 written, 0 refused because what is here is newer or the same, -1 when the account itself is absent

local account, lists = KEYS[1], KEYS[2]
if redis.call('EXISTS', account) == 0 then return -1 end
local present = redis.call('HGET', account, 'lv')
if present and tonumber(present) >= tonumber(ARGV[1]) then return 0 end

redis.call('DEL', lists)
for i = 2, #ARGV, 2 do redis.call('HSET', lists, ARGV[i], ARGV[i + 1]) end
redis.call('HSET', account, 'lv', ARGV[1], 'lists', (#ARGV - 1) / 2)
return 1
