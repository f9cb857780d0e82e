-- Posts checks and prints the outcome as one line of JSON. No two checks of one process are alike unless they should be.
-- Arguments: file with an API key per line, kind of traffic (people, attack, batch), number of the first person.

local DOMAINS = { "gmail.com", "outlook.com", "mailinator.com" }
local COMPANIES = 50
local BATCH = 100
local ATTACK_MAILBOXES = 2000
-- First octets with addresses that no customer comes from.
local NOT_PUBLIC = {}
for _, octet in ipairs({ 0, 10, 100, 127, 169, 172, 192, 198, 203 }) do NOT_PUBLIC[octet] = true end
for octet = 224, 255 do NOT_PUBLIC[octet] = true end

local heads = {}
local traffic
local person
local sent = 0

-- Two fifths big providers, two fifths companies, one fifth disposable.
local function domain_of(n)
  return DOMAINS[n % 5 + 1] or "company-" .. n % COMPANIES .. ".bench-corp.com"
end

-- The multiplier is odd, so that no two numbers below 2^32 share an address, and small enough for an exact product.
local function ip_of(n)
  local bits = n * 40503 % 4294967296
  local first = math.floor(bits / 16777216)
  if NOT_PUBLIC[first] then return nil end
  return first .. "." .. math.floor(bits / 65536) % 256 .. "." .. math.floor(bits / 256) % 256 .. "." .. bits % 256
end

local function next_person()
  local ip
  repeat
    person = person + 1
    ip = ip_of(person)
  until ip
  return '{"email":"jane.doe' .. person .. "@" .. domain_of(person) .. '","ip":"' .. ip .. '"}'
end

local bodies = {
  people = next_person,
  attack = function()
    local n = sent % ATTACK_MAILBOXES
    return '{"email":"mallory' .. n .. "@" .. domain_of(n) .. '","ip":"45.12.7.9"}'
  end,
  batch = function()
    local items = {}
    for i = 1, BATCH do items[i] = next_person() end
    return '{"items":[' .. table.concat(items, ",") .. "]}"
  end,
}

function init(args)
  for key in io.lines(args[1]) do
    heads[#heads + 1] = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port
      .. "\r\nContent-Type: application/json\r\nX-API-Key: " .. key .. "\r\nContent-Length: "
  end
  traffic = bodies[args[2]]
  person = tonumber(args[3])
end

function request()
  sent = sent + 1
  local body = traffic()
  return heads[sent % #heads + 1] .. #body .. "\r\n\r\n" .. body
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"p50":%d,"p90":%d,"p99":%d,"non2xx":%d,"socket_errors":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(90), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
