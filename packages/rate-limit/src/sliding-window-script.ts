/**
 * The exact sliding window as one atomic Redis script, in the shape rate-limiter-flexible's
 * `customIncrTtlLuaScript` wants.
 *
 * KEYS[1] the counted key
 * ARGV    points to consume (1, or -1 to take the latest request back), window in seconds, points of the budget, (unused), and optionally the
 *         present time in microseconds, else the server's own, which all replicas share
 * returns { requests in the window, this one and refused ones included, capped at points + 1;
 *           milliseconds until a further request would be allowed, 0 when one is allowed now }
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
elseif latest[1] and tonumber(latest[2]) >= now then
  now = tonumber(latest[2])
  sequence = tonumber(string.sub(latest[1], -6)) + 1
end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
redis.call('ZADD', KEYS[1], string.format('%.0f', now), string.format('%.0f-%06d', now, sequence))
local counted = redis.call('ZCARD', KEYS[1])
if counted > points then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, counted - points - 1)
end
redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[2]) * 1000)

if counted < points then
  return { counted, 0 }
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { math.min(counted, points + 1), math.ceil((tonumber(oldest[2]) + window - now) / 1000) }
`
