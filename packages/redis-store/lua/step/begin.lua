-- Decides everything mutable about checks that came together: key status, rate, quota and lists, with the clock of
-- Redis. In a look nothing is written, and each group is decided as if it were alone. In a step those that pass are
-- counted, and the note of the batch says so, behind the job that carries their logs. Where none passes, nothing is
-- written and no job is inserted.
--
-- Redis does not roll a script back, so the order is the proof: first all is decided, then the job is inserted, and what
-- counts is written only if the job is there. A job without a note means nothing. An error between the two (no memory, a
-- power cut) leaves both or a job that means nothing. A batch that is sent again, because its reply was lost, is answered from its
-- note; the note outlives every moment at which that can happen, because a batch has a life of its own: one that
-- arrives later than that is refused.
--
-- KEYS of a step    note, job, then like a look, then those of `insert`, BullMQ's script as a function in front of this one
-- KEYS of a look    and of a preview: per caller: account hash {v, plan, limit, rate, next, lists, k:<credential>, u:<month>,
--                   q:<month>:<key id>, t:<key id>, remembered, unmetered, o, d and f: "<day> <count>", tracked, own_proxy,
--                   policies: "<live>/<shadow>", p: see pack-account.lua} and lists hash (see list-fields.ts); then the record of each group that has
--                   one, in their order; then, per account that counts things, its hashes of even and odd weeks
-- ARGV[1]  JSON {born, life, remember, callers, groups: [{caller, count, subjects, once, from, scope},
--            or a run of usual checks as text]}
--            born      microseconds of Redis' clock, by the sender's estimate; without it this is a look
--            life      microseconds around born in which the batch may run
--            remember  seconds for which records are kept
--            preview   true for a look that tells what checks would meet now, whatever the key, rate and quota allow: its
--                      groups bring subjects and things, each its own owner of things, and nothing is counted
--            pretended of a preview: an entry that the account's list has not, {field, text, length, mx} (see list-fields.ts)
--            unmetered checks a day with test keys, for an account that does not say
--            counts    true from a sender that can name the things of its checks
--            insert    of a step: the numbers of the first key and the first argument that `insert` is given
--            kinds     how many kinds of things there are
--            counting  {at, owners, max, hour} where some are named: how many keys come before theirs, per account
--                      [names before its own, how many it has, those that occur twice], how many members a thing has at most,
--                      and the hour that the sender wrote
--            callers   per caller "credential key owner\n": the owner is the number of its account in owners, where its checks name things
--            run       checks that are alone in their group and bring at most things: per check its caller in 3 digits, its score in
--                      3 digits, 1 for a doubt or 0, and a character for each kind, dots for no things
--            count     of checks
--            subjects  per check "address\nmailbox\ndomain\nip\ndigits\nhosts" (mailbox empty where it is the address, digits
--                      of the IP in hexadecimal, hosts of its mail with spaces between); only for an account with lists (needs l)
--            met       of a large group, in place of subjects, what a preview of them told: {lists, ends, extra, matches}: the
--                      version of the lists, the earliest end of what was met, what it costs the rate, the matches as text
--            things    [number of its account in owners, number of its first name there, how many names it has, per check a
--                      character for each kind: 1, or a dash for none; per check its score in 3 digits, 1 for a doubt or 0];
--                      only for an account that counts repetitions (needs c)
--            policies  versions of the account's policy whose rules the sender has at hand
--            pinned    versions that judge this group whatever the account has; '' for none
--            once      of a group with a record: {body, rest}, the hash of its request and what is kept for a replay
--            from      where it comes from, as hexadecimal digits; always of a look, and of a key bound to networks (needs f)
--            scope     of a look: what the key must be good for; a step is a check
-- ARGV[2]  per name of a thing its member (6 characters) and the hour (5); then come the names, where counting is there
-- ARGV[..] the arguments of `insert`
-- Returns  JSON, see StepNoteSchema in contracts. All checks of a group are granted, or none. A look tells with the account
--          all that a step needs, and so does a step that lacks something of it ("needs").
--
-- The script is the files of this folder joined in the order of step-script.ts: each uses what those before it declare.
-- Gives    SECOND, request, time, now, nowText, isStep, isPreview, at (KEYS before those of callers), month, usedField, today;
--          undone(why); ends the run for a batch that was taken before or comes too late

local SECOND = 1000000

local request = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * SECOND + time[2]
local nowText = string.format('%.0f', now)
local isStep = request.born ~= nil
local isPreview = request.preview == true
local at = isStep and 2 or 0

local function undone(why)
  return '{"v":3,"now":' .. nowText .. ',"undone":"' .. why .. '","callers":[],"groups":[]}'
end

if isStep then
  local note = redis.call('GET', KEYS[1])
  if note then return note end
  if math.abs(now - request.born) > request.life then return undone('stale') end
end

-- Civil month of a day count since 1970, in integers (March-based years make February the last month).
local function monthOf(seconds)
  local z = math.floor(seconds / 86400) + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d', year, month)
end

local usedField = 'u:' .. monthOf(tonumber(time[1]))
local month = string.sub(usedField, 3)

-- The day of counts that a day limits.
local today = string.format('%d', math.floor(time[1] / 86400))
