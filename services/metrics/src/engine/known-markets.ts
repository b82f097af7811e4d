/** The markets of an environment, for `meta.market_ids` of callers whose token is not limited to some. */
import type { Clock } from '@merx/telemetry/clock'
import type { Budget } from '../request/limits.ts'
import type { Scope } from '../request/scope.ts'
import type { Engine } from './engine.ts'

export interface KnownMarkets {
  /** Ids in order; at most two seconds old, or a minute when nobody has asked for two seconds. */
  of(scope: Scope): Promise<readonly string[]>
}

const FRESH_MS = 2_000
/** What is older than fresh and younger than this is given, and read again for the next one. */
const USABLE_MS = 60_000
const ENVIRONMENTS_MAX = 10_000

const MARKETS = `SELECT DISTINCT market_id AS id FROM orders
WHERE organization_id = {organization_id:String} AND mode = {mode:String} AND is_deleted = 0 ORDER BY id LIMIT 1000`

interface Remembered {
  readonly ids: Promise<readonly string[]>
  readonly readAtMs: number
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
      const ageMs = known === undefined ? Infinity : nowMs - known.readAtMs
      if (known !== undefined && ageMs < FRESH_MS) return known.ids
      if (remembered.size >= ENVIRONMENTS_MAX) remembered.clear()
      const ids = read(scope)
      const isUsable = known !== undefined && ageMs < USABLE_MS
      remembered.set(key, { ids: isUsable ? known.ids : ids, readAtMs: nowMs })
      ids.then(
        () => remembered.set(key, { ids, readAtMs: nowMs }),
        () => remembered.delete(key), // who waits for it sees the failure; the next one asks again
      )
      if (isUsable) return known.ids
      return ids
    },
  }
}
