-- Posts bodies from a file, one after the other, and prints the outcome as one line of JSON.
-- Arguments: file with one body per line, API key.

local requests = {}
local at = 0

function init(args)
  local headers = { ["Content-Type"] = "application/json", ["X-API-Key"] = args[2] }
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
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
