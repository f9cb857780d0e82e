-- Writes what Postgres knows about an account into Redis, in one step. An older version never replaces a newer one, so
-- racing writers and retries cannot bring a revoked key back.
--
-- KEYS[1]  account hash
-- KEYS[2]  lists hash
-- KEYS[3]  policies hash: version -> rules as JSON
-- KEYS[4]  hooks hash: id -> JSON, see projected-hook.ts
-- ARGV[1]  JSON, every number as text:
--            version        rises with every change
--            plan, limit    checks per month
--            rate           checks per second and key
--            remembered     checks a day whose answers may be remembered for an Idempotency-Key; may be left out
--            unmetered      verdicts a day of test keys, tries and evidence; may be left out
--            tracked        things a week whose repetitions are counted; 0 for none
--            ipIntelligence 1 where answers say which kind of network an IP belongs to, else 0
--            ownProxy       name of the thing that the account's own proxy is; '' for none
--            next           the plan of a pending downgrade, as JSON text (see nextPlanText); may be left out
--            policies       "<live>/<shadow>", the versions of the account's policy in use; '' for none
--            policyRules    version -> rules as JSON, of those in use
--            hooks          id -> JSON; one that is not named is gone
--            used           month -> count by the rollups; taken only when the account is absent and for months that it
--                           has no counter of, because a counter here is newer
--            keyUsed        "<month>:<key id>" -> count by the rollups; taken where the counter here is below it
--            credentials    name -> status, see credential-status.ts; a key that none of them names is gone, and with
--                           it its count and its rate; counts of other months than those of used go too
--            listsVersion   the version at which the lists last changed
--            lists          field -> text, see list-fields.ts; left out by a writer who believes that Redis has them
-- Returns  1 written, 0 refused because what is here is newer or the same, -1 when the lists are needed after all

local account, lists, policies, hooks = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local next = cjson.decode(ARGV[1])

local present = redis.call('HMGET', account, 'v', 'lv', 'was')
-- The version that forget-idle left counts for longer than any writer may be late.
local LATE_SECONDS = 3600
local was, forgotten = string.match(present[3] or '', '^(%d+) (%d+)$')
if was and tonumber(was) > tonumber(next.version) and redis.call('TIME')[1] - forgotten < LATE_SECONDS then return 0 end
-- Of the same version only the seal of a hook may differ, after its token was replaced.
if present[1] and tonumber(present[1]) == tonumber(next.version) then
  for id, text in pairs(next.hooks or {}) do redis.call('HSET', hooks, id, text) end
end
if present[1] and tonumber(present[1]) >= tonumber(next.version) then return 0 end
if not next.lists and present[2] ~= next.listsVersion then return -1 end

local function isStale(field)
  local kind = string.sub(field, 1, 2)
  if kind == 'k:' then return true end
  if kind == 't:' then return not next.credentials[string.sub(field, 3)] end
  return kind == 'q:' and not (next.used[string.sub(field, 3, 9)] and next.credentials[string.sub(field, 11)])
end

if present[1] then
  for _, field in ipairs(redis.call('HKEYS', account)) do
    if isStale(field) then redis.call('HDEL', account, field) end
  end
else
  for month, count in pairs(next.used) do redis.call('HSETNX', account, 'u:' .. month, count) end
end

for name, count in pairs(next.keyUsed) do
  local counted = redis.call('HGET', account, 'q:' .. name)
  if not counted or tonumber(counted) < tonumber(count) then redis.call('HSET', account, 'q:' .. name, count) end
end

if was then redis.call('HDEL', account, 'was') end
redis.call('HSET', account, 'v', next.version, 'plan', next.plan, 'limit', next.limit, 'rate', next.rate,
  'tracked', next.tracked, 'ip_intelligence', next.ipIntelligence)
if next.remembered then redis.call('HSET', account, 'remembered', next.remembered) end
if next.unmetered then redis.call('HSET', account, 'unmetered', next.unmetered) end
if next.next then redis.call('HSET', account, 'next', next.next) else redis.call('HDEL', account, 'next') end
if next.ownProxy ~= '' then redis.call('HSET', account, 'own_proxy', next.ownProxy) else redis.call('HDEL', account, 'own_proxy') end
if next.policies ~= '' then redis.call('HSET', account, 'policies', next.policies) else redis.call('HDEL', account, 'policies') end
for version, rules in pairs(next.policyRules) do redis.call('HSET', policies, version, rules) end
-- Versions are immutable, so the last two may stay for checks under way; gateways get older ones from Postgres.
local KEPT = 2
if redis.call('HLEN', policies) > KEPT then
  local versions = redis.call('HKEYS', policies)
  table.sort(versions, function(a, b) return tonumber(a) > tonumber(b) end)
  for i = KEPT + 1, #versions do
    if not next.policyRules[versions[i]] then redis.call('HDEL', policies, versions[i]) end
  end
end
redis.call('DEL', hooks)
for id, hook in pairs(next.hooks) do redis.call('HSET', hooks, id, hook) end
for name, status in pairs(next.credentials) do redis.call('HSET', account, 'k:' .. name, status) end

if next.lists then
  redis.call('DEL', lists)
  for value, entry in pairs(next.lists) do redis.call('HSET', lists, value, entry) end
  redis.call('HSET', account, 'lv', next.listsVersion, 'lists', redis.call('HLEN', lists))
end
packAccount(account)
return 1
