/** One exact sliding window over keys, in Redis with this process as its insurance, or in this process alone. */
import type { Clock } from '@merx/telemetry/clock'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiterLike } from 'rate-limiter-flexible'
import type { Window } from './budgets.ts'
import { MemoryWindow } from './memory-window.ts'
import type { RedisWindowClient } from './redis-window-client.ts'
import { slidingWindowScript } from './sliding-window-script.ts'

/** The state of a window after a request was counted. */
export interface Count {
  readonly isAllowed: boolean
  readonly remaining: number
  readonly msBeforeNext: number
}

export interface CountingWindow {
  readonly window: Window
  /** Counts a request, allowed or not. Never rejects because Redis is unavailable. */
  count(key: string): Promise<Count>
  /** Takes the latest request of the key back. Never rejects because Redis is unavailable. */
  giveBack(key: string): Promise<void>
}

export interface CountingWindowOptions {
  readonly window: Window
  readonly keyPrefix: string
  readonly clock: Clock
  /** Absent: in this process. */
  readonly client: RedisWindowClient | undefined
}

export const createCountingWindow = (options: CountingWindowOptions): CountingWindow => {
  const { window, keyPrefix, clock, client } = options
  const memory = new MemoryWindow({ ...window, clock })
  const limiter: RateLimiterLike =
    client === undefined
      ? memory
      : new RateLimiterRedis({
          storeClient: client,
          points: window.points,
          duration: window.seconds,
          keyPrefix,
          customIncrTtlLuaScript: slidingWindowScript,
          insuranceLimiter: memory,
        })
  return {
    window,
    count: async (key) => toCount(limiter.consume(key)),
    giveBack: async (key) => {
      await limiter.reward(key, 1)
    },
  }
}

/** rate-limiter-flexible rejects with the state when the budget is used up, with an Error when it broke. */
const toCount = async (consumed: Promise<RateLimiterRes>): Promise<Count> => {
  try {
    return describe(await consumed, true)
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return describe(refused, false)
    throw refused
  }
}

const describe = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Count => ({
  isAllowed,
  remaining: remainingPoints,
  msBeforeNext,
})
