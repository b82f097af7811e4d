/** A bounded cache whose entries are younger than a second; callers that miss the same key share one look-up. */
import type { Clock } from '@merx/telemetry/clock'
import { LRUCache } from 'lru-cache'

/** LRUCache serves an entry until it is older than this, so none is a whole second old. */
const TTL_MS = 999

export interface RecentCacheOptions<Value, Context> {
  readonly entriesMax: number
  readonly clock: Clock
  readonly load: (key: string, context: Context) => Promise<Value>
}

/** A failed look-up is not cached: the next caller tries again. */
export const createRecentCache = <Value extends object, Context>({
  entriesMax,
  clock,
  load,
}: RecentCacheOptions<Value, Context>): LRUCache<string, Value, Context> =>
  new LRUCache<string, Value, Context>({
    max: entriesMax,
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
    // An entry that is removed while it is loaded is still returned to those who wait for it, but not cached.
    ignoreFetchAbort: true,
    fetchMethod: (key, _stale, { context }) => load(key, context),
  })
