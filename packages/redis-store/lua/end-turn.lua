-- Notes that a task was done.
--
-- KEYS[1]  the tasks
-- ARGV[1]  name of the task
-- ARGV[2]  the turn that was done

local time = redis.call('TIME')
redis.call('HSET', KEYS[1], ARGV[1] .. ':done', ARGV[2], ARGV[1] .. ':done-at', time[1])
