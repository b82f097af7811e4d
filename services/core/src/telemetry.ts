/** Metrics of core beyond requests: answers from the response cache, and the state of the bitmap index. */
import { instrumentsOf, observe } from '@merx/telemetry/metrics'
import type { Queryable } from './engine/database/database.ts'

const instruments = instrumentsOf('core', (meter) => ({
  lists: meter.createCounter('merx_core_list_answers', {
    description: 'Answers to lists: kept ones were given again, made ones were read from the database.',
  }),
}))

export const countListAnswer = (isKept: boolean): void =>
  instruments().lists.add(1, { outcome: isKept ? 'kept' : 'made' })

/** Counts at most once in this time, however often Prometheus asks: counting a set reads all of it. */
const COUNT_EVERY_MS = 60_000

const COUNTS = `
  SELECT name, sum(bit_count(bits))::float8 AS members FROM kept.sets GROUP BY name ORDER BY name`
const WAITING = `SELECT count(*)::float8 AS waiting FROM kept.changes`

/** Of all environments together, so that there are as many series as kinds of sets. @returns ends it */
export const observeKeptSets = (database: Queryable): (() => void) => {
  let counts: readonly (readonly [{ set: string }, number])[] = []
  let countedAt = -Infinity
  const stops = [
    observe('core', {
      name: 'merx_core_kept_members',
      description:
        'Members of the bitmap index by kind: rows that exist, have a price, have stock. Counted once a minute.',
      read: async () => {
        if (performance.now() - countedAt < COUNT_EVERY_MS) return counts
        countedAt = performance.now()
        const rows = await database.query<{ name: string; members: number }>(COUNTS, [])
        counts = rows.map(({ name, members }) => [{ set: name }, members])
        return counts
      },
    }),
    observe('core', {
      name: 'merx_core_kept_changes',
      description: 'Changes that wait to be merged into the bitmap index; readers apply them until then.',
      read: async () => {
        const [row] = await database.query<{ waiting: number }>(WAITING, [])
        return row?.waiting
      },
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
