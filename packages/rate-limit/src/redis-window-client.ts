/**
 * The client rate-limiter-flexible talks to: one command, `rlflxIncr`, that runs the sliding-window script within a
 * time limit and stays away from a Redis that just failed, so that insurance answers without waiting.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Cluster, Redis } from 'ioredis'
import { slidingWindowScript } from './sliding-window-script.ts'

/** A limit must not cost more than the request it guards. */
const ANSWER_MS = 250
/** How long a Redis that failed is left alone. */
const PAUSE_MS = 1000

/** The connection, and whose clock decides. */
export interface RedisWindowClientOptions {
  readonly redis: Redis | Cluster
  readonly clock: Clock
  /**
   * Whose time counts: `redis` (default) is the same for all replicas; `clock` is for tests that move time.
   */
  readonly time: 'redis' | 'clock'
  readonly log?: Logger | undefined
}

/** Just what RateLimiterRedis uses of ioredis for `consume`. */
export interface RedisWindowClient {
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void
  rlflxIncr(args: readonly string[]): Promise<[consumed: number, msBeforeNext: number]>
}

/** ioredis adds a method for each defined command. */
interface WithScript {
  merxSlidingWindow(...args: readonly string[]): Promise<[number, number]>
}

/** @example new RateLimiterRedis({ storeClient: createRedisWindowClient({ redis, clock, time: 'redis' }), … }) */
export const createRedisWindowClient = (options: RedisWindowClientOptions): RedisWindowClient => {
  const { redis, clock, time, log } = options
  redis.defineCommand('merxSlidingWindow', { numberOfKeys: 1, lua: slidingWindowScript })
  const scripted = redis as unknown as WithScript
  let awayUntilMs: number | undefined

  const run = async (args: readonly string[]): Promise<[number, number]> => {
    if (redis.status !== 'ready') throw new Error(`Redis is ${redis.status}`)
    const now = time === 'clock' ? [String(clock.now().getTime() * 1000)] : []
    return within(ANSWER_MS, scripted.merxSlidingWindow(...args, ...now))
  }

  return {
    defineCommand: () => undefined, // ours is defined once above, the same for every limiter
    rlflxIncr: async (args) => {
      if (awayUntilMs !== undefined && clock.now().getTime() < awayUntilMs)
        throw new Error('Redis failed a moment ago')
      try {
        const result = await run(args)
        if (awayUntilMs !== undefined) log?.info('rate limits are shared through Redis again')
        awayUntilMs = undefined
        return result
      } catch (error) {
        if (awayUntilMs === undefined)
          log?.warn({ err: error }, 'rate limits are per process while Redis is away')
        awayUntilMs = clock.now().getTime() + PAUSE_MS
        throw error
      }
    },
  }
}

const within = async <T>(ms: number, answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
