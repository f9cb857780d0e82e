-- Packs what a step reads of the projection into one field: a step of many callers reads it for each. It carries the version
-- that it belongs to, because a release that does not know it changes the other fields alone. The plan is JSON, as a note has it.
--
-- Gives  packAccount(account hash), behind every change of the fields in it

local function packAccount(account)
  local fields = redis.call('HMGET', account, 'v', 'plan', 'limit', 'rate', 'lists', 'tracked', 'policies', 'own_proxy',
    'ip_intelligence', 'next')
  for i = 1, 10 do fields[i] = fields[i] or '' end
  fields[2] = cjson.encode(fields[2])
  redis.call('HSET', account, 'p', table.concat(fields, '\n'))
end
