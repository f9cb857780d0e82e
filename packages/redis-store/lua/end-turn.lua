-- Notes that a duty was done.
--
-- KEYS[1]  the duties
-- ARGV[1]  name of the duty
-- ARGV[2]  the turn that was done

local time = redis.call('TIME')
redis.call('HSET', KEYS[1], ARGV[1] .. ':done', ARGV[2], ARGV[1] .. ':done-at', time[1])
