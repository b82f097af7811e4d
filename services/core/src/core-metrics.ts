/** What core tells of itself beyond requests: answers given again, and the state of its kept sets. */
import { metricsOf } from '@merx/telemetry/metrics'
import type { Queryable } from './engine/database/database.ts'

const metrics = metricsOf('core')

const lists = metrics.counter({
  name: 'merx_core_list_answers',
  help: 'Answers to lists: kept ones were given again, made ones were read from the database.',
  labels: ['outcome'],
})
const kept = lists.of('kept')
const made = lists.of('made')

export const countListAnswer = (isKept: boolean): void => (isKept ? kept : made).add()

/** Looks at most once in this time, however often Prometheus asks: counting a set reads all of it. */
const LOOK_MS = 60_000

const COUNTS = `
  SELECT name, sum(bit_count(bits))::float8 AS members FROM kept.sets GROUP BY name ORDER BY name`
const WAITING = `SELECT count(*)::float8 AS waiting FROM kept.changes`

/** Of all environments together, so that there are as many series as kinds of sets. @returns what takes them away */
export const defineCoreGauges = (database: Queryable): (() => void) => {
  let counts: readonly (readonly [readonly string[], number])[] = []
  let lookedAt = -Infinity
  const look = async () => {
    if (performance.now() - lookedAt < LOOK_MS) return counts
    lookedAt = performance.now()
    const rows = await database.query<{ name: string; members: number }>(COUNTS, [])
    counts = rows.map(({ name, members }) => [[name], members])
    return counts
  }
  const removals = [
    metrics.gauge({
      name: 'merx_core_kept_members',
      help: 'Members of the kept sets by kind: rows that exist, have a price, have stock. Counted once a minute.',
      labels: ['set'],
      read: look,
    }),
    metrics.gauge({
      name: 'merx_core_kept_changes',
      help: 'Changes that wait to be moved into the kept sets; readers apply them until then.',
      read: async () => {
        const [row] = await database.query<{ waiting: number }>(WAITING, [])
        return row?.waiting
      },
    }),
  ]
  return () => {
    for (const remove of removals) remove()
  }
}
