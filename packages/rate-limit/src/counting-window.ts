/** One exact sliding window over keys, in Redis with this process as its insurance, or in this process alone. */
import type { Clock } from '@merx/telemetry/clock'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiterLike } from 'rate-limiter-flexible'
import type { Window } from './budgets.ts'
import { MemoryWindow } from './memory-window.ts'
import type { Earlier, RedisWindowClient } from './redis-window-client.ts'

/** The state of a window after a request was counted. */
export interface Count {
  readonly isAllowed: boolean
  /** Requests in the window, this one included; no more than one above the points is told. */
  readonly counted: number
  readonly remaining: number
  readonly msBeforeNext: number
}

export interface CountingWindow {
  readonly window: Window
  /** Counts a request, allowed or not. Never rejects because Redis is away. */
  count(key: string): Promise<Count>
  /**
   * Counts requests that were admitted a moment ago, oldest first. Never rejects because Redis is away.
   * @returns the state after the last of them
   */
  countEarlier(key: string, groups: readonly Earlier[]): Promise<Count>
  /** Takes the latest request of the key back. Never rejects because Redis is away. */
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
  const { points } = window
  const memory = new MemoryWindow({ ...window, clock })
  const limiter: RateLimiterLike =
    client === undefined
      ? memory
      : new RateLimiterRedis({
          storeClient: client,
          points,
          duration: window.seconds,
          keyPrefix,
          insuranceLimiter: memory,
        })
  const countEarlierInRedis = async (redis: RedisWindowClient, key: string, groups: readonly Earlier[]) => {
    const [counted, msBeforeNext] = await redis.countEarlier(`${keyPrefix}:${key}`, window, groups)
    return { isAllowed: counted <= points, counted, remaining: Math.max(0, points - counted), msBeforeNext }
  }

  const countEarlierHere = async (key: string, groups: readonly Earlier[]): Promise<Count> => {
    let count: Count = { isAllowed: true, counted: 0, remaining: points, msBeforeNext: 0 }
    for (const { ageMs, requests } of groups) count = await toCount(memory.consume(key, requests, { ageMs }))
    return count
  }

  return {
    window,
    count: (key) => toCount(limiter.consume(key)),
    countEarlier: async (key, groups) => {
      if (client === undefined) return countEarlierHere(key, groups)
      try {
        return await countEarlierInRedis(client, key, groups)
      } catch {
        return countEarlierHere(key, groups) // the client logs that Redis is away
      }
    },
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

const describe = (state: RateLimiterRes, isAllowed: boolean): Count => ({
  isAllowed,
  counted: state.consumedPoints,
  remaining: state.remainingPoints,
  msBeforeNext: state.msBeforeNext,
})
