-- Gives an attempt back: it turned out to be a good login.
--
-- KEYS[1]  counter
-- Returns  attempts that remain counted

local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used <= 0 then return 0 end
return redis.call('DECR', KEYS[1])
