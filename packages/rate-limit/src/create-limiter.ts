/**
 * The limiter of a service: for each class and mode one average window over all endpoints and, where the budget has
 * one, a burst window per endpoint (docs/adr/0003-sliding-window-limits.md).
 */
import { createHash } from 'node:crypto'
import type { Mode } from '@merx/access-token/caller'
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Cluster, Redis } from 'ioredis'
import { budgetClasses, budgets, scaleWindow } from './budgets.ts'
import type { BudgetClass, Window } from './budgets.ts'
import { limitedAddress } from './client-address.ts'
import { createCountingWindow, type Count, type CountingWindow } from './counting-window.ts'
import { createRedisWindowClient } from './redis-window-client.ts'
import type { RedisWindowClient } from './redis-window-client.ts'

/** What a request is counted as. */
export interface LimitedRequest {
  readonly class: BudgetClass
  readonly mode: Mode
  /** From Express; IPv6 is limited by /64. */
  readonly ip: string | undefined
  /** The key of the burst window: one resource path such as `/api/addresses`. */
  readonly endpoint: string
}

/** State of the budget after the request was counted. */
export interface LimitState {
  readonly isAllowed: boolean
  /** Points of the average window, the one that response headers describe. */
  readonly limit: number
  readonly intervalSeconds: number
  readonly remaining: number
  /** Whole seconds until the next request would be allowed, at least 1; 0 when this one was. */
  readonly retryAfterSeconds: number
  /** The window that refused the request. */
  readonly exceeded?: Window & { readonly per: 'class' | 'endpoint' }
}

/** Counts requests against the budgets. */
export interface Limiter {
  /** Counts the request, allowed or not, in both windows. Never rejects because Redis is unavailable. */
  consume(request: LimitedRequest): Promise<LimitState>
}

/** Where windows are stored, and whose clock counts. */
export interface LimiterOptions {
  /** Shared by all replicas; absent, limits hold per process. */
  readonly redis?: Redis | Cluster | undefined
  readonly clock: Clock
  /** Multiplies all points; default 1 (RATE_LIMIT_SCALE). */
  readonly scale?: number | undefined
  readonly log?: Logger | undefined
  /** In front of every key in Redis. Default `limit`. */
  readonly keyPrefix?: string | undefined
  /** Whose time Redis windows use; see redis-window-client.ts. Default `redis`. */
  readonly time?: 'redis' | 'clock' | undefined
  /** How long Redis may take before this process counts alone. Default 250. */
  readonly redisTimeoutMs?: number | undefined
}

/** @example const limiter = createLimiter({ redis, clock: systemClock, scale: config.rateLimitScale, log }) */
export const createLimiter = (options: LimiterOptions): Limiter => {
  const { clock, scale = 1, keyPrefix = 'limit' } = options
  const client = openClient(options)

  const openWindow = (window: Window, name: string): CountingWindow =>
    createCountingWindow({
      window: scaleWindow(window, scale),
      keyPrefix: `${keyPrefix}:${name}`,
      clock,
      client,
    })

  const open = (budgetClass: BudgetClass, mode: Mode): WindowPair => {
    const { average, burst } = budgets[budgetClass][mode]
    return {
      average: openWindow(average, `${budgetClass}:${mode}:average`),
      burst: burst && openWindow(burst, `${budgetClass}:${mode}:burst`),
    }
  }

  // Opened here, not at the first request, so that a wrong scale stops the start.
  const pairs = new Map(
    budgetClasses.map((name) => [name, { test: open(name, 'test'), live: open(name, 'live') }]),
  )

  return {
    consume: async (request) => {
      const pair = pairs.get(request.class)?.[request.mode]
      if (pair === undefined)
        throw new RangeError(`no rate budget for class ${request.class}, mode ${request.mode}`)
      const { average, burst } = pair
      const address = limitedAddress(request.ip)
      const [ofClass, ofEndpoint] = await Promise.all([
        average.count(address),
        burst?.count(`${address}:${shorten(request.endpoint)}`),
      ])
      return describe(average.window, ofClass, burst?.window, ofEndpoint)
    },
  }
}

/** The window, and a name for its keys. */
export interface KeyLimiterOptions extends LimiterOptions {
  readonly window: Window
  /** Distinguishes its keys from those of other limiters. */
  readonly name: string
}

/** One window over keys that the caller chooses, such as accounts. */
export interface KeyLimiter {
  /** Counts one attempt, allowed or not. Never rejects because Redis is unavailable. */
  consume(key: string): Promise<{ readonly isAllowed: boolean; readonly retryAfterSeconds: number }>
  /** Takes the latest attempt of the key back: it was not a guess. Never rejects because Redis is unavailable. */
  giveBack(key: string): Promise<void>
}

/** @example const accounts = createKeyLimiter({ name: 'password:pair', window: passwordWindows.pair, redis, clock }) */
export const createKeyLimiter = (options: KeyLimiterOptions): KeyLimiter => {
  const { clock, scale = 1, keyPrefix = 'limit', window, name } = options
  const counting = createCountingWindow({
    window: scaleWindow(window, scale),
    keyPrefix: `${keyPrefix}:${name}`,
    clock,
    client: openClient(options),
  })
  return {
    consume: async (key) => {
      const { isAllowed, msBeforeNext } = await counting.count(shorten(key))
      return { isAllowed, retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil(msBeforeNext / 1000)) }
    },
    giveBack: (key) => counting.giveBack(shorten(key)),
  }
}

const openClient = ({
  redis,
  clock,
  log,
  time = 'redis',
  redisTimeoutMs = 250,
}: LimiterOptions): RedisWindowClient | undefined =>
  redis && createRedisWindowClient({ redis, clock, time, log, timeoutMs: redisTimeoutMs })

/** Keys stay short whatever an endpoint is called. */
const shorten = (endpoint: string): string =>
  endpoint.length <= 100 ? endpoint : createHash('sha256').update(endpoint).digest('hex')

interface WindowPair {
  readonly average: CountingWindow
  readonly burst: CountingWindow | undefined
}

const describe = (window: Window, average: Count, burstWindow?: Window, burst?: Count): LimitState => {
  const refusals = [
    ...(average.isAllowed ? [] : [{ ...window, per: 'class' as const, msBeforeNext: average.msBeforeNext }]),
    ...(burst === undefined || burstWindow === undefined || burst.isAllowed
      ? []
      : [{ ...burstWindow, per: 'endpoint' as const, msBeforeNext: burst.msBeforeNext }]),
  ].sort((one, other) => other.msBeforeNext - one.msBeforeNext)
  const [longest] = refusals
  const state = { limit: window.points, intervalSeconds: window.seconds, remaining: average.remaining }
  if (longest === undefined) return { ...state, isAllowed: true, retryAfterSeconds: 0 }
  const { msBeforeNext, ...exceeded } = longest
  return {
    ...state,
    isAllowed: false,
    retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    exceeded,
  }
}
