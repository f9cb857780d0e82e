-- Begins a check that carries an Idempotency-Key, or says what became of the one that began before with the same key.
--
-- The marker goes through: begun -> prepared (the answer-to-be is noted just before the log is queued) -> done. Whoever
-- began owns it for a lease; after that a retry may take it over WITH ITS LOG ID, so that the reservation and the row's
-- primary key make the check count once. Where a gateway can die, and what the retry then finds:
--
--   before admission        begun, no reservation: the retry is admitted under the same log id. Counted once.
--   admitted, not prepared  begun, reserved: admission finds the id and answers the same. (The sweeper may have given it
--                           back meanwhile: then it is admitted afresh; it was never queued, because it was not prepared.)
--   prepared, not queued    prepared, reserved: runs again under the same id; the first log never existed.
--   queued, not persisted   prepared, reserved: runs again; the second log has the same id and created_at (admission
--                           returns the first moment), and the primary key drops it.
--   queued and persisted    prepared, NOT reserved: the worker settled it. Admitting again would count twice, so the
--                           prepared answer is replayed. That is why it is noted before the log is queued.
--   given back by sweeper   prepared, not reserved, in the swept set: it was never queued. Starts over with a new id.
--
-- A takeover of a reserved id is held against the sweeper: it may have looked at the queue just before the retry.
-- A gateway that only slept, and wakes after a takeover, is refused at the prepare step: it no longer owns the marker.
--
-- KEYS[1]  marker hash     {body, log, owner, lease, answer, done}
-- KEYS[2]  reserved zset
-- KEYS[3]  swept zset      log id -> microseconds at which the sweeper gave it back
-- KEYS[4]  held zset       log id -> microseconds until which the sweeper must leave it alone
-- ARGV[1]  hash of the body
-- ARGV[2]  log id that this request brings; also names it as the owner
-- ARGV[3]  lease, ARGV[4] hold, both in microseconds; ARGV[5] life of the marker in seconds
-- Returns {1, log id, prepared answer or ""} begun, {2, answer} replay, {3} in flight, {4} another body

local marker, reserved, swept, held = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner = ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local lease = string.format('%.0f', now + tonumber(ARGV[3]))

local state = redis.call('HMGET', marker, 'body', 'log', 'owner', 'lease', 'answer', 'done')
local body, log, answer = state[1], state[2], state[5]

if not body then
  redis.call('HSET', marker, 'body', ARGV[1], 'log', owner, 'owner', owner, 'lease', lease)
  redis.call('EXPIRE', marker, ARGV[5])
  return { 1, owner, '' }
end
if body ~= ARGV[1] then return { 4 } end
if state[6] then return { 2, answer } end
-- The same request again: ioredis sent it twice because the first reply was lost.
if state[3] == owner then return { 1, log, answer or '' } end
if tonumber(state[4]) > now then return { 3 } end

if redis.call('ZSCORE', reserved, log) then
  redis.call('ZADD', held, string.format('%.0f', now + tonumber(ARGV[4])), log)
  redis.call('EXPIRE', held, ARGV[5])
elseif answer and redis.call('ZSCORE', swept, log) then
  log, answer = owner, false
  redis.call('HDEL', marker, 'answer')
elseif answer then
  redis.call('HSET', marker, 'done', '1')
  return { 2, answer }
end
redis.call('HSET', marker, 'log', log, 'owner', owner, 'lease', lease)
return { 1, log, answer or '' }
