import type { CallerOf } from '@merx/load/closed-loop'
import type { LoadRequest } from '@merx/load/exchange'
import type { LoadOperation, LoadScenario } from '@merx/load/scenario'
import { DAY_AFTER, skuId } from './shop-documents.ts'
import { startMetrics } from './start-metrics.ts'

const ORDERS = 20_000
const CHANGES_PER_SECOND = 20
const DAY_MS = 86_400_000
const YEAR = 365

type Body = Readonly<Record<string, unknown>>

const ask = (token: string, path: string, body: Body): LoadRequest => ({
  method: 'POST',
  path: `/metrics/${path}`,
  headers: {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.api.v1+json',
    'content-type': 'application/vnd.api+json',
  },
  body: JSON.stringify(body),
})

const toSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** So many days, ending up to a month before the last order: visitors of a dashboard look at different ranges. */
const daysOf = (days: number, turn: number, date_field = 'placed_at') => {
  const to = DAY_AFTER.getTime() - (turn % 30) * DAY_MS
  return { date_from: toSecond(to - days * DAY_MS), date_to: toSecond(to), date_field }
}

/** A request for each turn of each connection. */
const each =
  (request: (turn: number) => LoadRequest): CallerOf =>
  (connection) => {
    let turn = connection * 7
    return { next: () => request(turn++) }
  }

interface Page {
  readonly meta: { readonly pagination: { readonly cursor: string | null } }
}

/** Three pages by cursor, then the first again. */
const paging =
  (token: string): CallerOf =>
  (connection) => {
    let turn = connection * 7
    let cursor: string | null = null
    return {
      next: () =>
        ask(token, 'orders/search', {
          search: {
            fields: ['order.id', 'order.number', 'market.name', 'line_items.code'],
            limit: 25,
            cursor,
          },
          filter: { order: daysOf(90, Math.floor(turn / 3)) },
        }),
      onAnswer: ({ status, body }) => {
        turn += 1
        const isGoing = status === 200 && body !== undefined && turn % 3 !== 0
        cursor = isGoing ? (JSON.parse(body) as Page).meta.pagination.cursor : null
      },
    }
  }

const watching = (token: string): readonly LoadOperation[] => [
  {
    name: 'sums by month',
    weight: 18,
    callerOf: each((turn) =>
      ask(token, 'orders/date_breakdown', {
        date_breakdown: {
          by: 'order.placed_at',
          field: 'order.total_amount_with_taxes',
          operator: 'sum',
          interval: 'month',
        },
        filter: { order: daysOf(YEAR, turn) },
      }),
    ),
  },
  {
    name: 'countries by orders',
    weight: 14,
    callerOf: each((turn) =>
      ask(token, 'orders/breakdown', {
        breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' },
        filter: { order: daysOf(YEAR, turn) },
      }),
    ),
  },
  {
    name: 'average order',
    weight: 14,
    callerOf: each((turn) =>
      ask(token, 'orders/stats', {
        stats: { field: 'order.total_amount_with_taxes', operator: 'avg' },
        filter: { order: { ...daysOf(30, turn), statuses: { in: ['approved'] } } },
      }),
    ),
  },
  {
    name: 'carts by country',
    weight: 6,
    callerOf: each((turn) =>
      ask(token, 'carts/breakdown', {
        breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' },
        filter: { order: daysOf(YEAR, turn, 'created_at') },
      }),
    ),
  },
]

const analyzing = (token: string): readonly LoadOperation[] => [
  {
    name: 'SKUs by line total',
    weight: 12,
    callerOf: each((turn) =>
      ask(token, 'orders/breakdown', {
        breakdown: { by: 'line_items.code', field: 'line_items.total_amount', operator: 'sum', limit: 10 },
        filter: { order: daysOf(90, turn) },
      }),
    ),
  },
  {
    name: 'SKUs of each market',
    weight: 6,
    callerOf: each((turn) =>
      ask(token, 'orders/breakdown', {
        breakdown: {
          by: 'market.name',
          field: 'order.id',
          operator: 'value_count',
          breakdown: { by: 'line_items.code', field: 'line_items.total_amount', operator: 'sum', limit: 5 },
        },
        filter: { order: daysOf(90, turn) },
      }),
    ),
  },
  {
    name: 'percentiles of the way to approval',
    weight: 5,
    callerOf: each((turn) =>
      ask(token, 'orders/stats', {
        stats: { field: 'order.seconds_in_approved', operator: 'percentiles' },
        filter: { order: daysOf(YEAR, turn) },
      }),
    ),
  },
  {
    name: 'bought together',
    weight: 3,
    callerOf: each((turn) =>
      ask(token, 'analysis/fbt', { filter: { line_items: { item_ids: { in: [skuId(turn)] } } } }),
    ),
  },
]

const reading = (token: string): readonly LoadOperation[] => [
  { name: 'search, three pages', weight: 15, callerOf: paging(token) },
  {
    name: 'search by text',
    weight: 5,
    callerOf: each((turn) =>
      ask(token, 'orders/search', {
        search: { fields: ['order.id', 'order.number'], limit: 10 },
        filter: {
          order: {
            ...daysOf(YEAR, turn),
            aggregated_details: { query: `SKU-${String(turn % 100).padStart(4, '0')}` },
          },
        },
      }),
    ),
  },
  {
    name: 'export of a week',
    weight: 2,
    callerOf: each((turn) =>
      ask(token, 'orders/export', {
        search: { fields: ['order.id', 'order.number', 'order.total_amount_with_taxes'] },
        filter: { order: daysOf(7, turn) },
      }),
    ),
  },
]

/** The mix on a shop of so many orders. */
export const openMix =
  (orders: number): LoadScenario['open'] =>
  async ({ defer, say }) => {
    say(`filling a shop of ${orders} orders from the recorded feed`)
    const { target, token, close } = await startMetrics({ orders, changesPerSecond: CHANGES_PER_SECOND })
    defer(close)
    return { target, operations: [...watching(token), ...analyzing(token), ...reading(token)] }
  }

export const scenario: LoadScenario = {
  summary: `Metrics with the embedded engine and Redis, auth and core recorded, a shop of 20,000 orders of which ${CHANGES_PER_SECOND} change every second: dashboards that are looked at, analyses, pages of orders, an export now and then.`,
  open: openMix(ORDERS),
}
