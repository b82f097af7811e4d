/** Caches the markets of an environment, for `meta.market_ids` of callers whose token is not limited to some. */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import { LRUCache } from 'lru-cache'
import type { Budget } from '../request/limits.ts'
import type { Scope } from '../request/scope.ts'
import { nameEnvironment } from '../sql/environment.ts'
import type { Engine } from './engine.ts'

export interface KnownMarkets {
  /** Ids in order; some seconds old at most, or a minute when no caller wanted them for as long. */
  of(scope: Scope): Promise<readonly string[]>
}

const FRESH_MS = 2_000
/** Reading them scans all orders, so it takes at most this share of the time. */
const SHARE_MAX = 1 / 50
/** Older ones are not used; between `FRESH_MS` and this they are used while they are read again. */
const USABLE_MS = 60_000
const ENVIRONMENTS_MAX = 10_000

const MARKETS = `SELECT DISTINCT market_id AS id FROM orders
WHERE environment = {environment:String} AND is_deleted = 0 ORDER BY id LIMIT 1000`

interface Cached {
  readonly ids: readonly string[]
  readonly freshUntilMs: number
}

const BEYOND_BUDGET: ReadonlySet<string> = new Set(['metrics_query_timeout', 'metrics_query_too_large'])

/** The caller cannot narrow this query, so its budget is no 422 of theirs. */
const toUnavailable = (error: unknown): never => {
  const isBeyondBudget = error instanceof AppError && BEYOND_BUDGET.has(error.code)
  throw isBeyondBudget ? new AppError('metrics_engine_unavailable', { cause: error }) : error
}

export interface KnownMarketsDeps {
  readonly engineFor: (organizationId: string) => Pick<Engine, 'run'>
  readonly clock: Clock
  readonly budget: Budget
}

export const createKnownMarkets = ({ engineFor, clock, budget }: KnownMarketsDeps): KnownMarkets => {
  const nowMs = (): number => clock.now().getTime()
  const read = async (environment: string, { organizationId }: Scope): Promise<Cached> => {
    const startedAtMs = nowMs()
    const statement = { text: MARKETS, params: { environment } }
    const rows = await engineFor(organizationId).run(statement, budget).catch(toUnavailable)
    const tookMs = nowMs() - startedAtMs
    const freshMs = Math.max(FRESH_MS, tookMs / SHARE_MAX)
    return { ids: rows.map(({ id }) => String(id)), freshUntilMs: startedAtMs + freshMs }
  }
  const cached = new LRUCache<string, Cached, Scope>({
    max: ENVIRONMENTS_MAX,
    ttl: USABLE_MS,
    ttlResolution: 0,
    perf: { now: nowMs },
    fetchMethod: (environment, _stale, { context }) => read(environment, context),
  })
  return {
    of: async (scope) => {
      if (scope.marketIds !== undefined) return [...scope.marketIds].sort()
      const key = nameEnvironment(scope)
      const known = cached.get(key)
      const isDue = known !== undefined && nowMs() >= known.freshUntilMs
      const found = await cached.forceFetch(key, {
        context: scope,
        allowStale: known !== undefined,
        forceRefresh: isDue,
      })
      return found.ids
    },
  }
}
