-- wrk's load for both servers. From the environment: METHOD, PATH_TO, BODY, HEADERS (one per line), IDS (a file) and RUN;
-- {id} in PATH_TO becomes one of the ids, {n} in BODY a unique text.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  method, path, body = os.getenv("METHOD"), os.getenv("PATH_TO"), os.getenv("BODY")
  headers, ids, count = {}, {}, 0
  for name, value in os.getenv("HEADERS"):gmatch("([^:\n]+): ([^\n]+)") do headers[name] = value end
  if os.getenv("IDS") then
    for id in io.lines(os.getenv("IDS")) do ids[#ids + 1] = id end
  end
  before = os.getenv("RUN") .. "-" .. number .. "-"
  math.randomseed(number + 1)
end

function request()
  local to, with = path, body
  if #ids > 0 then to = path:gsub("{id}", ids[math.random(#ids)]) end
  if body then
    count = count + 1
    with = body:gsub("{n}", before .. count)
  end
  return wrk.format(method, to, headers, with)
end

function done(summary, latency)
  local wrong = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "microseconds": %d, "p50": %d, "p99": %d, "refused": %d, "broken": %d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), wrong.status,
    wrong.connect + wrong.read + wrong.write + wrong.timeout))
end
