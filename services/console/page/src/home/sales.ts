/** Sales of today and of the days before, from metrics. Days are those of UTC, as in every date breakdown. */
import { queryMetrics } from '../data/api.ts'

const DAY_MS = 86_400_000
export const DAYS = 30

export interface Sales {
  readonly revenue: number
  readonly orders: number
  readonly average: number
}

/** What metrics gives for the operator `stats`. */
interface Stats {
  readonly sum: number | null
  readonly count: number
  readonly avg: number | null
}

export interface Period {
  readonly from: Date
  readonly to: Date
}

/** From midnight until now. */
export const today = (now: Date): Period => ({
  from: new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS),
  to: now,
})

/** The same hours, a day earlier: what today can be compared with. */
export const dayBefore = ({ from, to }: Period): Period => ({
  from: new Date(from.getTime() - DAY_MS),
  to: new Date(to.getTime() - DAY_MS),
})

const lastDays = (now: Date): Period => ({
  from: new Date(today(now).from.getTime() - (DAYS - 1) * DAY_MS),
  to: now,
})

const seconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

const placedIn = ({ from, to }: Period, currency?: string) => ({
  order: {
    date_field: 'placed_at',
    date_from: seconds(from),
    date_to: seconds(to),
    ...(currency === undefined ? {} : { currency_codes: { in: [currency] } }),
  },
})

const TOTAL = 'order.total_amount_with_taxes'

export const readSales = async (period: Period, currency: string): Promise<Sales> => {
  const { value } = await queryMetrics<{ readonly value: Stats | null }>('orders/stats', {
    stats: { field: TOTAL, operator: 'stats' },
    filter: placedIn(period, currency),
  })
  return { revenue: value?.sum ?? 0, orders: value?.count ?? 0, average: value?.avg ?? 0 }
}

/** How many goods came to be sent back in a period. */
export const countReturns = async ({ from, to }: Period): Promise<number> => {
  const { value } = await queryMetrics<{ readonly value: number | null }>('returns/stats', {
    stats: { field: 'return.id', operator: 'value_count' },
    filter: {
      return: { date_field: 'created_at', date_from: seconds(from), date_to: seconds(to) },
    },
  })
  return value ?? 0
}

interface Bucket {
  readonly date: string
  readonly value: number | null
}

/** A value for each day: metrics begins with the first day that has one. */
export const everyDay = (from: Date, buckets: readonly Bucket[]): readonly number[] => {
  const values = new Map(buckets.map(({ date, value }) => [date.slice(0, 10), value ?? 0]))
  return Array.from({ length: DAYS }, (_, day) => {
    const date = new Date(from.getTime() + day * DAY_MS).toISOString().slice(0, 10)
    return values.get(date) ?? 0
  })
}

/** Revenue of each of the last days. */
export const readCurve = async (now: Date, currency: string): Promise<readonly number[]> => {
  const period = lastDays(now)
  const buckets = await queryMetrics<readonly Bucket[]>('orders/date_breakdown', {
    date_breakdown: { by: 'order.placed_at', field: TOTAL, operator: 'sum', interval: 'day' },
    filter: placedIn(period, currency),
  })
  return everyDay(period.from, buckets)
}

/** Those of the last days, the most used first. */
export const readCurrencies = async (now: Date): Promise<readonly string[]> => {
  const by = 'order.currency_code'
  const answer = await queryMetrics<Readonly<Record<typeof by, readonly { readonly label: string }[]>>>(
    'orders/breakdown',
    {
      breakdown: { by, field: 'order.id', operator: 'value_count', sort: 'desc', limit: 10 },
      filter: placedIn(lastDays(now)),
    },
  )
  return answer[by].map(({ label }) => label)
}
