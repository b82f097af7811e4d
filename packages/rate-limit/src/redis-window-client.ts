/**
 * The Redis client given to rate-limiter-flexible: it runs the sliding-window script within a time limit, and leaves a
 * Redis that just failed alone for a second, so that the insurance limiter answers without waiting.
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Cluster, Redis } from 'ioredis'

const PAUSE_MS = 1000
const MICROSECONDS = 1000

export interface RedisWindowClientOptions {
  readonly redis: Redis | Cluster
  readonly clock: Clock
  /** Whose time counts: `redis` (default) is the same for all replicas; `clock` is for tests that move time. */
  readonly time: 'redis' | 'clock'
  /** A limit must not cost more than the request it guards. */
  readonly timeoutMs: number
  readonly log?: Logger | undefined
}

type State = readonly [counted: number, msBeforeNext: number]

/** What RateLimiterRedis uses of ioredis. */
export interface RedisWindowClient {
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void
  rlflxIncr(args: readonly string[]): Promise<State>
}

/** ioredis adds a method for each defined command. */
type WithScript = Pick<RedisWindowClient, 'rlflxIncr'>

/** @example new RateLimiterRedis({ storeClient: createRedisWindowClient({ redis, clock, time: 'redis' }), … }) */
export const createRedisWindowClient = (options: RedisWindowClientOptions): RedisWindowClient => {
  const { redis, clock, time, timeoutMs, log } = options
  let pausedUntilMs: number | undefined

  const count = async (args: readonly string[]): Promise<State> => {
    if (redis.status !== 'ready') throw new Error(`Redis is ${redis.status}`)
    const now = time === 'clock' ? [String(clock.now().getTime() * MICROSECONDS)] : []
    return within(timeoutMs, (redis as unknown as WithScript).rlflxIncr([...args, ...now]))
  }

  return {
    defineCommand: (name, definition) => redis.defineCommand(name, definition),
    rlflxIncr: async (args) => {
      if (pausedUntilMs !== undefined && clock.now().getTime() < pausedUntilMs)
        throw new Error('Redis failed a moment ago')
      try {
        const state = await count(args)
        if (pausedUntilMs !== undefined) log?.info('rate limits are shared through Redis again')
        pausedUntilMs = undefined
        return state
      } catch (error) {
        if (pausedUntilMs === undefined)
          log?.warn({ err: error }, 'rate limits are per process while Redis is unavailable')
        pausedUntilMs = clock.now().getTime() + PAUSE_MS
        throw error
      }
    },
  }
}

/** So many times this process looks for the answer before it calls Redis late. */
const LOOKS = 5

/** Time in which this process reads nothing is not counted: then it is busy itself, and the answer may have arrived. */
const within = async <T>(ms: number, answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const late = new Promise<never>((_resolve, reject) => {
    const look = (left: number): void => {
      if (isOver) return
      if (left === 0) reject(new Error(`Redis did not answer within ${ms} ms`))
      // What has arrived is read between the timer and the immediate.
      else timer = setTimeout(() => setImmediate(look, left - 1), ms / LOOKS)
    }
    look(LOOKS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}
