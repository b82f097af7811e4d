/**
 * The exact sliding window as one atomic Redis script, in the shape rate-limiter-flexible's
 * `customIncrTtlLuaScript` wants.
 *
 * KEYS[1] the counted key
 * ARGV    how many requests to count (at most 500, or -1 to take the latest one back), window in seconds, points of the
 *         budget, 'last' when only the state after the last is wanted, when they were made (`age:count`
 *         pairs, microseconds ago, oldest first, separated by commas), and optionally the present time in microseconds, else the server's own, which all replicas
 *         share
 * returns for each of the requests, or the last of them, as if they had come one after the other:
 *         { requests in the window, this one and refused ones included, capped at points + 1;
 *           milliseconds until a further request would be allowed, 0 when one is allowed now }, in one flat list
 *
 * The sorted set holds one member a request. Only the latest `points` decide anything, so the rest is cut off:
 * memory stays bounded however fast refused requests come in. Requests of the same microsecond are told apart by a
 * sequence number. A clock that went back (a failover) counts as standing still, or, past a whole window, begins
 * the count anew, so that nobody stays blocked for as long as the clock was wrong.
 */
export const slidingWindowScript = `
if tonumber(ARGV[1]) < 0 then
  redis.call('ZPOPMAX', KEYS[1])
  return { redis.call('ZCARD', KEYS[1]), 0 }
end

local count = tonumber(ARGV[1])
local window = tonumber(ARGV[2]) * 1000000
local points = tonumber(ARGV[3])
local now
if ARGV[6] then
  now = tonumber(ARGV[6])
else
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local latest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local at = 0
local sequence = 0
if latest[1] and tonumber(latest[2]) - now > window then
  redis.call('DEL', KEYS[1])
elseif latest[1] then
  at = tonumber(latest[2])
  sequence = tonumber(string.sub(latest[1], -6)) + 1
  now = math.max(now, at)
end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local before = redis.call('ZCARD', KEYS[1])
local added = {}
for age, made in string.gmatch(ARGV[5], '(%d+):(%d+)') do
  if now - age > at then
    at = now - age
    sequence = 0
  end
  for i = 1, made do
    added[#added + 1] = string.format('%.0f', at)
    added[#added + 1] = string.format('%.0f-%06d', at, sequence)
    sequence = sequence + 1
  end
end
redis.call('ZADD', KEYS[1], unpack(added))

local states = {}
for i = (ARGV[4] == 'last') and count or 1, count do
  local counted = before + i
  local wait = 0
  if counted >= points then
    local edge = counted - points
    local oldest = redis.call('ZRANGE', KEYS[1], edge, edge, 'WITHSCORES')
    wait = math.ceil((tonumber(oldest[2]) + window - now) / 1000)
  end
  states[#states + 1] = math.min(counted, points + 1)
  states[#states + 1] = wait
end

if before + count > points then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, before + count - points - 1)
end
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[2]) * 1000)
return states
`
