/** The markets of an environment, for `meta.market_ids` of callers whose token is not limited to some. */
import { AppError } from '@merx/errors/app-error'
import type { Clock } from '@merx/telemetry/clock'
import type { Budget } from '../request/limits.ts'
import type { Scope } from '../request/scope.ts'
import { nameEnvironment } from '../sql/environment.ts'
import type { KnownParts } from './known-parts.ts'
import type { LimitedEngine } from './limit-concurrency.ts'

export interface KnownMarkets {
  /** Ids in order; some seconds old at most, or a minute when nobody has asked for as long. */
  of(scope: Scope): Promise<readonly string[]>
}

const FRESH_MS = 2_000
/** Reading them looks through all orders, so it takes at most this share of the time. */
const SHARE_MAX = 1 / 50
/** What is older than fresh and younger than this is given, and read again for the next one. */
const USABLE_MS = 60_000
const ENVIRONMENTS_MAX = 10_000

const TABLE = 'orders'
const MARKETS = `SELECT DISTINCT market_id AS id FROM ${TABLE}
WHERE environment = {environment:String} AND is_deleted = 0 ORDER BY id LIMIT 1000`

interface Reading {
  readonly ids: readonly string[]
  readonly tookMs: number
}

interface Remembered {
  readonly ids: Promise<readonly string[]>
  readonly readAtMs: number
  readonly freshMs: number
  /** Of the table, when they were read or before. */
  readonly state: string | undefined
}

const BEYOND_BUDGET: ReadonlySet<string> = new Set(['metrics_query_timeout', 'metrics_query_too_large'])

/** What reads the markets is no query of the caller, who could not narrow it. */
const notForCaller = (error: unknown): never => {
  const isBeyondBudget = error instanceof AppError && BEYOND_BUDGET.has(error.code)
  throw isBeyondBudget ? new AppError('metrics_engine_unavailable', { cause: error }) : error
}

export interface KnownMarketsDeps {
  readonly engine: Pick<LimitedEngine, 'run' | 'quiet'>
  readonly clock: Clock
  readonly budget: Budget
  readonly parts: KnownParts
}

export const createKnownMarkets = ({ engine, clock, budget, parts }: KnownMarketsDeps): KnownMarkets => {
  const remembered = new Map<string, Remembered>()
  const read = async (scope: Scope): Promise<Reading> => {
    const startedAtMs = clock.now().getTime()
    const params = { environment: nameEnvironment(scope) }
    const rows = await engine.run({ text: MARKETS, params }, budget).catch(notForCaller)
    return { ids: rows.map(({ id }) => String(id)), tookMs: clock.now().getTime() - startedAtMs }
  }
  return {
    of: async (scope) => {
      if (scope.marketIds !== undefined) return [...scope.marketIds].sort()
      const key = nameEnvironment(scope)
      const nowMs = clock.now().getTime()
      const table = parts.rowsOf(TABLE)
      const known = remembered.get(key)
      if (known !== undefined && nowMs - known.readAtMs < known.freshMs) return known.ids
      const isTableKnown = table?.state !== undefined && nowMs - table.asOfMs < USABLE_MS
      if (isTableKnown && known?.state === table.state) return known.ids
      if (remembered.size >= ENVIRONMENTS_MAX) remembered.clear()
      const isUsable = known !== undefined && nowMs - known.readAtMs < USABLE_MS
      const reading = isUsable ? engine.quiet().then(() => read(scope)) : read(scope)
      const ids = isUsable ? known.ids : reading.then((found) => found.ids)
      const entry = { readAtMs: nowMs, freshMs: FRESH_MS, state: table?.state }
      remembered.set(key, { ...entry, ids })
      reading.then(
        (found) => {
          const freshMs = Math.max(FRESH_MS, found.tookMs / SHARE_MAX)
          remembered.set(key, { ...entry, ids: Promise.resolve(found.ids), freshMs })
        },
        () => remembered.delete(key), // who waits for it sees the failure; the next one asks again
      )
      return ids
    },
  }
}
