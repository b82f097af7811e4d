import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, BenchContext } from '@merx/load/bench'
import { startTarget } from '@merx/load/target'
import type { OrderDocument, OrderLineItem } from '@merx/order-feed/order-document'
import { makeDocuments } from '../../services/metrics/test/support/documents.ts'
import { startPageServer } from './page-server.ts'
import type { FillCost, ServeIngestInput } from './serve-ingest.ts'

const ORDERS = Number(process.env['MERX_BENCH_ORDERS'] ?? 100_000)
const ROUNDS = 3
const RATE_MIN = 5_000
const LAG_MS_MAX = 50
const MEGABYTE = 1e6
const US_PER_MS = 1_000

const fill = async (input: Omit<ServeIngestInput, 'folder'>, { say }: BenchContext): Promise<FillCost> => {
  const folder = await mkdtemp(join(tmpdir(), 'merx-bench-ingest-'))
  const program = new URL('./serve-ingest.ts', import.meta.url)
  const target = await startTarget({ name: input.how, program, input: { ...input, folder } })
  try {
    const response = await fetch(target.url, { method: 'POST' })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    const cost = JSON.parse(text) as FillCost
    if (cost.orders !== ORDERS) throw new Error(`${cost.orders} orders were stored, not ${ORDERS}`)
    say(`${input.how}: ${Math.round(cost.ms)} ms`)
    return cost
  } finally {
    await target.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const LINE_ITEMS = 3
/** The first ones have no others to take line items from. */
const LEFT_OUT = 20

/** Orders with three line items each, as core's feed lists them: those that changed last at the end. */
const makeOrders = (count: number): readonly OrderDocument[] => {
  let known: readonly OrderLineItem[] = []
  const orders = makeDocuments(7, count + LEFT_OUT).map((document) => {
    known = [...document.line_items, ...known].slice(0, LINE_ITEMS)
    return { ...document, line_items: known }
  })
  return orders.slice(LEFT_OUT).toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : 1))
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const ordersASecond = ({ ms, orders }: FillCost): number => (orders / ms) * 1_000
const cpuUs = ({ cpuMs, orders }: FillCost): number => (cpuMs / orders) * US_PER_MS

const rowOf = (name: string, costs: readonly FillCost[]): readonly string[] => [
  name,
  Math.round(median(costs.map(ordersASecond))).toLocaleString('en'),
  String(Math.round(median(costs.map(cpuUs)))),
  median(costs.map(({ lagMaxMs }) => lagMaxMs)).toFixed(0),
  (median(costs.map(({ rssMaxBytes }) => rssMaxBytes)) / MEGABYTE).toFixed(0),
]

export const bench: Bench = {
  summary: `${ORDERS.toLocaleString('en')} orders with ${LINE_ITEMS} line items each from the feed into an empty store, against the engine that takes the same rows as finished text.`,
  run: async (context) => {
    const feed = await startPageServer(makeOrders(ORDERS))
    context.defer(() => feed.stop())
    const costs: Record<ServeIngestInput['how'], FillCost[]> = { floor: [], merx: [] }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const how of ['floor', 'merx'] as const)
        costs[how].push(await fill({ how, feedUrl: feed.url }, context))
    const rate = median(costs.merx.map(ordersASecond))
    const lag = median(costs.merx.map(({ lagMaxMs }) => lagMaxMs))
    const ratio = rate / median(costs.floor.map(ordersASecond))
    return {
      tables: [
        {
          title: 'Bulk ingest, medians',
          columns: ['', 'orders/s', 'µs of CPU an order', 'longest event-loop lag, ms', 'memory at most, MB'],
          rows: [rowOf('the engine alone', costs.floor), rowOf('merx', costs.merx)],
        },
      ],
      checks: [
        {
          name: `at least ${RATE_MIN} orders a second`,
          found: `${Math.round(rate)}, ${ratio.toFixed(2)} of the engine alone`,
          isMet: rate >= RATE_MIN,
        },
        {
          name: `event-loop lag under ${LAG_MS_MAX} ms`,
          found: `${lag.toFixed(0)} ms`,
          isMet: lag < LAG_MS_MAX,
        },
      ],
    }
  },
}
