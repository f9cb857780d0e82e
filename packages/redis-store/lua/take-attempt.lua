-- Counts an attempt within a window that begins with its first one. An attempt past the limit is refused and not
-- counted. Run twice by a reconnect it counts twice, which errs on the safe side.
--
-- KEYS[1]  counter
-- ARGV[1]  attempts allowed in the window
-- ARGV[2]  window, in milliseconds
-- ARGV[3]  what it counts as; the last one may pass the limit
-- Returns  {1, 0} taken, {0, milliseconds until the window ends} refused

local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used >= tonumber(ARGV[1]) then return { 0, redis.call('PTTL', KEYS[1]) } end
if redis.call('INCRBY', KEYS[1], ARGV[3]) == tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { 1, 0 }
