/**
 * The client rate-limiter-flexible talks to: one command, `rlflxIncr`, that runs the sliding-window script within a
 * time limit and stays away from a Redis that just failed, so that insurance answers without waiting. What requests of
 * one turn of the event loop count against the same window is one command, with the answers they would have got alone.
 */
import { createSharedTurns } from '@merx/key-value/shared-turns'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Cluster, Redis } from 'ioredis'
import type { Window } from './budgets.ts'
import { slidingWindowScript } from './sliding-window-script.ts'

/** A limit must not cost more than the request it guards. */
const ANSWER_MS = 250
/** How long a Redis that failed is left alone. */
const PAUSE_MS = 1000
/** Requests counted by one command; the script says why there is a bound. */
const COUNTED_MAX = 500

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

/** Which of the requests counted by one command get a state: see the script. */
const EACH = 'each'
const LAST = 'last'
const US_PER_MS = 1_000

/** When requests were made, as the script wants it. */
const toMoments = (groups: readonly Earlier[]): string =>
  groups.map(({ ageMs, requests }) => `${Math.round(ageMs * US_PER_MS)}:${requests}`).join(',')

const now = (count: string): string => `0:${count}`

const NONE = [0, 0] as const

/** Requests of one moment, admitted before they are counted. */
export interface Earlier {
  readonly ageMs: number
  readonly requests: number
}

/** What RateLimiterRedis uses of ioredis for `consume`, and whether it answers for all replicas. */
export interface RedisWindowClient {
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void
  rlflxIncr(args: readonly string[]): Promise<State>
  /** Counts requests of some moments ago. @returns the state after the last of them. @throws Error while Redis is away */
  countEarlier(key: string, window: Window, groups: readonly Earlier[]): Promise<State>
  /** Whether Redis failed last; false again with its first answer. */
  isAway(): boolean
}

/** ioredis adds a method for each defined command. */
interface WithScript {
  merxSlidingWindow(...args: readonly string[]): Promise<number[]>
}

type State = readonly [consumed: number, msBeforeNext: number]

/** The flat list the script answers with, in pairs. */
const toStates = (flat: readonly number[]): readonly State[] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2] ?? 0, flat[index * 2 + 1] ?? 0])

/** @example new RateLimiterRedis({ storeClient: createRedisWindowClient({ redis, clock, time: 'redis' }), … }) */
export const createRedisWindowClient = (options: RedisWindowClientOptions): RedisWindowClient => {
  const { redis, clock, time, log } = options
  redis.defineCommand('merxSlidingWindow', { numberOfKeys: 1, lua: slidingWindowScript })
  const scripted = redis as unknown as WithScript
  let awayUntilMs: number | undefined

  const run = async (args: readonly string[]): Promise<readonly State[]> => {
    if (redis.status !== 'ready') throw new Error(`Redis is ${redis.status}`)
    const now = time === 'clock' ? [String(clock.now().getTime() * 1000)] : []
    return toStates(await within(ANSWER_MS, scripted.merxSlidingWindow(...args, ...now)))
  }

  const runUnlessAway = async (args: readonly string[]): Promise<readonly State[]> => {
    if (awayUntilMs !== undefined && clock.now().getTime() < awayUntilMs)
      throw new Error('Redis failed a moment ago')
    try {
      const states = await run(args)
      if (awayUntilMs !== undefined) log?.info('rate limits are shared through Redis again')
      awayUntilMs = undefined
      return states
    } catch (error) {
      if (awayUntilMs === undefined)
        log?.warn({ err: error }, 'rate limits are per process while Redis is away')
      awayUntilMs = clock.now().getTime() + PAUSE_MS
      throw error
    }
  }

  const turns = createSharedTurns(COUNTED_MAX, ([key = '', ...budget]: readonly string[], count) =>
    runUnlessAway([key, String(count), ...budget, EACH, now(String(count))]),
  )

  return {
    defineCommand: () => undefined, // ours is defined once above, the same for every limiter
    rlflxIncr: async ([key = '', count = '', seconds = '', points = '']) => {
      if (count === '1') return turns.join(`${key} ${seconds} ${points}`, [key, seconds, points])
      const [state = NONE] = await runUnlessAway([key, count, seconds, points, LAST, now(count)])
      return state
    },
    countEarlier: async (key, { seconds, points }, groups) => {
      const count = groups.reduce((sum, { requests }) => sum + requests, 0)
      const budget = [String(count), String(seconds), String(points)]
      const [state = NONE] = await runUnlessAway([key, ...budget, LAST, toMoments(groups)])
      return state
    },
    isAway: () => awayUntilMs !== undefined,
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
