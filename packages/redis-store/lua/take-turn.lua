-- Takes the next turn of a task, unless somebody took it since the caller looked. No clock is asked whether it is time:
-- callers count from the last change of the turn by clocks of their own that nobody can set. The moment is only noted,
-- for those who start later.
--
-- KEYS[1]  the tasks
-- ARGV[1]  name of the task
-- ARGV[2]  the turn that the caller saw last
-- ARGV[3]  who the caller is: a command that is sent twice finds the turn its own
-- Returns  1 when the turn is the caller's, 0 when another took it

local turn, by = ARGV[1] .. ':turn', ARGV[1] .. ':by'
local present = redis.call('HGET', KEYS[1], turn) or '0'
local mine = string.format('%d', tonumber(ARGV[2]) + 1)
if present ~= ARGV[2] then
  return (present == mine and redis.call('HGET', KEYS[1], by) == ARGV[3]) and 1 or 0
end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], turn, mine, by, ARGV[3], ARGV[1] .. ':at', time[1])
return 1
