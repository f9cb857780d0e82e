-- Adds to the load of accounts in one minute and keeps the largest, so that a minute takes the same room with ten
-- accounts and with a million. A batch that is sent again counts twice: nothing is billed by it.
--
-- KEYS[1]  accounts by what was answered in this minute
-- KEYS[2]  accounts by what was refused in this minute
-- ARGV[1]  accounts to keep in each
-- ARGV[2]  seconds after which the minute is forgotten
-- ARGV[3+] per account: its id, answered, refused
-- Returns  nothing

for at = 3, #ARGV, 3 do
  if ARGV[at + 1] ~= '0' then redis.call('ZINCRBY', KEYS[1], ARGV[at + 1], ARGV[at]) end
  if ARGV[at + 2] ~= '0' then redis.call('ZINCRBY', KEYS[2], ARGV[at + 2], ARGV[at]) end
end
for _, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYRANK', key, 0, -1 - tonumber(ARGV[1]))
  redis.call('EXPIRE', key, ARGV[2])
end
