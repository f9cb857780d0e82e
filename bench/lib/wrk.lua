-- Posts bodies from a file, one after the other, and prints the outcome as one line of JSON.
-- Arguments: file with one body per line, API key. A line may bring a key of its own: key, tab, body.

local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local key, body = string.match(line, "^([^\t]*)\t(.*)$")
    local headers = { ["Content-Type"] = "application/json", ["X-API-Key"] = key or args[2] }
    requests[#requests + 1] = wrk.format("POST", nil, headers, body or line)
  end
  -- Threads start at different bodies, so that they do not walk in step.
  math.randomseed(os.time())
  at = math.random(#requests)
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"p50":%d,"p90":%d,"p99":%d,"non2xx":%d,"socket_errors":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(90), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
