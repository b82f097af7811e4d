/** The markets of an environment, for `meta.market_ids` of callers whose token is not limited to some. */
import type { Clock } from '@merx/telemetry/clock'
import type { Budget } from '../request/limits.ts'
import type { Scope } from '../request/scope.ts'
import type { Engine } from './engine.ts'

export interface KnownMarkets {
  /** Ids in order; at most two seconds old. */
  of(scope: Scope): Promise<readonly string[]>
}

const FRESH_MS = 2_000
const ENVIRONMENTS_MAX = 10_000

const MARKETS = `SELECT DISTINCT market_id AS id FROM orders
WHERE organization_id = {organization_id:String} AND mode = {mode:String} AND is_deleted = 0 ORDER BY id LIMIT 1000`

interface Remembered {
  readonly ids: Promise<readonly string[]>
  readonly untilMs: number
}

export const createKnownMarkets = (engine: Engine, clock: Clock, budget: Budget): KnownMarkets => {
  const remembered = new Map<string, Remembered>()
  const read = async ({ organizationId, mode }: Scope): Promise<readonly string[]> => {
    const params = { organization_id: organizationId, mode }
    const rows = await engine.run({ text: MARKETS, params }, budget)
    return rows.map(({ id }) => String(id))
  }
  return {
    of: async (scope) => {
      if (scope.marketIds !== undefined) return [...scope.marketIds].sort()
      const key = `${scope.organizationId} ${scope.mode}`
      const nowMs = clock.now().getTime()
      const known = remembered.get(key)
      if (known !== undefined && known.untilMs > nowMs) return known.ids
      if (remembered.size >= ENVIRONMENTS_MAX) remembered.clear()
      const ids = read(scope)
      remembered.set(key, { ids, untilMs: nowMs + FRESH_MS })
      ids.catch(() => remembered.delete(key)) // the caller sees the failure; the next one asks again
      return ids
    },
  }
}
