/** The questions put to metrics while a fault lasts, whose answers are known beforehand. */
import { ALL_TIME } from '../../support/every-order.ts'
import type { SearchAnswer, StatsAnswer } from '../../support/wire.ts'
import type { Lab } from './lab.ts'
import { integrationOf, type User } from './user.ts'

/** Count and sum of all placed orders of one organization. */
export interface Totals {
  readonly count: number
  readonly sumCents: number
}

const CENTS = 100
const QUESTIONS = [
  { field: 'order.id', operator: 'value_count' },
  { field: 'order.total_amount_with_taxes', operator: 'sum' },
] as const

const askStats = async (user: User, stats: (typeof QUESTIONS)[number]): Promise<number | undefined> => {
  const filter = { order: { ...ALL_TIME, date_field: 'created_at' } }
  const reply = await user.metrics('orders/stats', { stats, filter })
  if (reply === undefined) return undefined
  const { data, meta } = reply.json<StatsAnswer>()
  if (meta.organization_id !== user.organizationId || meta.mode !== 'test')
    user.wrong(`metrics answered ${user.organizationId} for ${meta.organization_id} ${meta.mode}`)
  return Number(data.value)
}

/** Undefined when one of the two questions was refused. */
export const askTotals = async (user: User): Promise<Totals | undefined> => {
  const [count, sum] = [await askStats(user, QUESTIONS[0]), await askStats(user, QUESTIONS[1])]
  return count === undefined || sum === undefined ? undefined : { count, sumCents: Math.round(sum * CENTS) }
}

/** Of both organizations. @throws Error when metrics does not answer */
export const requireTotals = (lab: Lab): Promise<readonly Totals[]> =>
  Promise.all(
    [0, 1].map(async (organization) => {
      const totals = await askTotals(integrationOf(lab, organization))
      if (totals === undefined) throw new Error('metrics does not answer')
      return totals
    }),
  )

const SEARCH_MAX = 100

/** Total with taxes in cents of each of these orders that the carts of metrics have, by id. */
export const askCarts = async (user: User, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (let start = 0; start < ids.length; start += SEARCH_MAX) {
    const some = ids.slice(start, start + SEARCH_MAX)
    const reply = await user.metrics('carts/search', {
      search: { fields: ['order.id', 'order.total_amount_with_taxes'], limit: SEARCH_MAX },
      filter: { order: { ...ALL_TIME, date_field: 'created_at', ids: { in: some } } },
    })
    for (const record of reply?.json<SearchAnswer>().data ?? [])
      found.set(String(record['id']), Math.round(Number(record['total_amount_with_taxes']) * CENTS))
  }
  return found
}
