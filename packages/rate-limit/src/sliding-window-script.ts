/**
 * The exact sliding window as one atomic Redis script, called as rate-limiter-flexible calls its
 * `customIncrTtlLuaScript`.
 *
 * KEYS[1] the counted key
 * ARGV    1 to count a request or -1 to take the latest one back, the window in seconds, the points of the budget, the
 *         window again (the library passes it twice), and optionally the present time in microseconds; without it, the
 *         server's own clock counts, which all replicas share
 * returns { requests in the window, this one and refused ones included, capped at points + 1;
 *           milliseconds until a further request would be allowed, 0 when one is allowed now }
 *
 * The sorted set has one member per request. Only the latest `points` decide, so older ones are removed: memory stays
 * bounded however fast refused requests come in. A sequence number distinguishes requests of the same microsecond. A
 * clock that went back (a failover) counts as standing still or, by more than a window, restarts the count, so that
 * nobody stays blocked for as long as the clock was wrong.
 */
export const slidingWindowScript = `
if tonumber(ARGV[1]) < 0 then
  redis.call('ZPOPMAX', KEYS[1])
  return { redis.call('ZCARD', KEYS[1]), 0 }
end

local window = tonumber(ARGV[2]) * 1000000
local points = tonumber(ARGV[3])
local now
if ARGV[5] then
  now = tonumber(ARGV[5])
else
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local latest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local sequence = 0
if latest[1] and tonumber(latest[2]) - now > window then
  redis.call('DEL', KEYS[1])
elseif latest[1] then
  local last = tonumber(latest[2])
  if now <= last then
    now = last
    sequence = tonumber(string.sub(latest[1], -6)) + 1
  end
end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
redis.call('ZADD', KEYS[1], string.format('%.0f', now), string.format('%.0f-%06d', now, sequence))
local counted = redis.call('ZCARD', KEYS[1])

local wait = 0
if counted >= points then
  local edge = counted - points
  local oldest = redis.call('ZRANGE', KEYS[1], edge, edge, 'WITHSCORES')
  wait = math.ceil((tonumber(oldest[2]) + window - now) / 1000)
end
if counted > points then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, counted - points - 1)
end
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[2]) * 1000)
return { math.min(counted, points + 1), wait }
`
