import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '@merx/load/bench'
import { exchange, type LoadRequest } from '@merx/load/exchange'
import { startTarget } from '@merx/load/target'
import type { OrderDocument } from '@merx/order-feed/order-document'
import { Agent } from 'undici'
import { makeDocuments } from '../../services/metrics/test/support/documents.ts'
import { FEED_KEY, openFeedServer, type FeedServer } from '../../services/metrics/test/support/feed-server.ts'
import type { ServeFreshnessFacts, ServeFreshnessInput } from './serve-freshness.ts'

const ORDERS = Number(process.env['MERX_BENCH_ORDERS'] ?? 20_000)
const SECONDS = 30
const CHANGES_A_SECOND = 200
const QUERIES_A_SECOND = 20
const TURN_MS = 100
/** How often a changed order is asked for until it shows its change, and how often another one is. */
const LOOK_MS = 50
const PROBE_MS = 1_000
const FRESH_MS_MAX = 1_000
const LAG_MS_MAX = 50
const MEGABYTE = 1e6

const ORGANIZATION = 'orgAAAAAAA'
const RANGE = { date_from: '2020-01-01T00:00:00Z', date_to: '2023-12-31T23:59:59Z' }
const range = { order: RANGE }

/** What dashboards ask, in turn. */
const QUERIES = [
  [
    'orders/breakdown',
    { breakdown: { by: 'order.country_code', field: 'order.id', operator: 'value_count' }, filter: range },
  ],
  [
    'orders/date_breakdown',
    {
      date_breakdown: {
        by: 'order.current_date',
        field: 'order.total_amount_with_taxes',
        operator: 'sum',
        interval: 'month',
      },
      filter: range,
    },
  ],
  [
    'orders/breakdown',
    {
      breakdown: { by: 'line_items.code', field: 'line_items.total_amount', operator: 'sum' },
      filter: range,
    },
  ],
  ['orders/search', { search: { fields: ['order.id', 'order.number'], limit: 20 }, filter: range }],
] as const

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const makeOrders = (): readonly OrderDocument[] =>
  makeDocuments(7, ORDERS).map((document) => ({
    ...document,
    organization: { id: ORGANIZATION, slug: 'acme', name: 'Acme' },
    mode: 'live',
    status: 'placed',
    placed_at: document.placed_at ?? document.created_at,
  }))

type Ask = (path: string, body: object) => Promise<string>

const createAsk = (url: string, token: string, agent: Agent): Ask => {
  const dispatcher = agent.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, origin: url }, handler),
  )
  return async (path, body) => {
    const request: LoadRequest = {
      method: 'POST',
      path: `/metrics/${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.api.v1+json',
        'content-type': 'application/vnd.api+json',
      },
      body: JSON.stringify(body),
    }
    const answer = await exchange(dispatcher, request, true)
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${answer.body ?? ''}`)
    return answer.body ?? ''
  }
}

/** Orders are changed one after the other, again and again. */
const createShop = (feed: FeedServer) => {
  const orders = [...makeOrders()]
  let next = 0
  feed.put(...orders)
  return {
    change: (count: number): OrderDocument | undefined => {
      let last: OrderDocument | undefined
      for (let index = 0; index < count; index += 1) {
        const at = next % orders.length
        next += 1
        const order = orders[at]
        if (order === undefined) continue
        last = { ...order, version: order.version + 1, number: `${next}` }
        orders[at] = last
        feed.put(last)
      }
      return last
    },
  }
}

/** Milliseconds from the change of an order in core until an answer of the service shows it. */
const timeUntilShown = async (
  ask: Ask,
  { id, number }: OrderDocument,
  changedAtMs: number,
): Promise<number> => {
  const body = {
    search: { fields: ['order.id', 'order.number'], limit: 1 },
    filter: { order: { ...RANGE, ids: { in: [id] } } },
  }
  for (;;) {
    if ((await ask('orders/search', body)).includes(`"number":"${number}"`))
      return performance.now() - changedAtMs
    await sleep(LOOK_MS)
  }
}

const under = async (ask: Ask, shop: ReturnType<typeof createShop>) => {
  const startedAtMs = performance.now()
  const fresh: Promise<number>[] = []
  const queries: Promise<number>[] = []
  const timed = async (path: string, body: object): Promise<number> => {
    const sentAtMs = performance.now()
    await ask(path, body)
    return performance.now() - sentAtMs
  }
  const turns = (SECONDS * 1_000) / TURN_MS
  for (let turn = 0; turn < turns; turn += 1) {
    await sleep(Math.max(0, startedAtMs + turn * TURN_MS - performance.now()))
    const changed = shop.change((CHANGES_A_SECOND * TURN_MS) / 1_000)
    if (changed !== undefined && (turn * TURN_MS) % PROBE_MS === 0)
      fresh.push(timeUntilShown(ask, changed, performance.now()))
    for (let sent = 0; sent < (QUERIES_A_SECOND * TURN_MS) / 1_000; sent += 1) {
      const [path, body] = QUERIES[queries.length % QUERIES.length] ?? QUERIES[0]
      queries.push(timed(path, body))
    }
  }
  return { fresh: await Promise.all(fresh), queries: await Promise.all(queries) }
}

export const bench: Bench = {
  summary: `How soon a change is in an answer, while ${CHANGES_A_SECOND} of ${ORDERS.toLocaleString('en')} orders change and ${QUERIES_A_SECOND} queries are asked a second, for ${SECONDS} seconds.`,
  run: async ({ defer, say }) => {
    const feed = await openFeedServer()
    defer(() => feed.stop())
    const folder = await mkdtemp(join(tmpdir(), 'merx-bench-freshness-'))
    defer(() => rm(folder, { recursive: true, force: true }))
    const shop = createShop(feed)
    const input: ServeFreshnessInput = {
      folder,
      feedUrl: feed.url,
      feedKey: FEED_KEY,
      organizationId: ORGANIZATION,
    }
    const program = new URL('./serve-freshness.ts', import.meta.url)
    const target = await startTarget<ServeFreshnessFacts>({ name: 'metrics', program, input })
    defer(target.stop)
    say('the store is filled')
    const agent = new Agent({ connections: 20 })
    defer(() => agent.close())
    const ask = createAsk(target.url, target.facts.token, agent)
    for (const [path, body] of QUERIES) await ask(path, body)
    target.resetLag()
    const before = await target.sample()
    const { fresh, queries } = await under(ask, shop)
    const after = await target.sample()
    const freshMax = Math.max(...fresh)
    const cpu = (after.cpuMs - before.cpuMs) / (SECONDS * 1_000)
    return {
      tables: [
        {
          title: `${fresh.length} changes that were looked for, ${queries.length} queries`,
          columns: ['', 'median', 'worst'],
          rows: [
            ['change until shown, ms', median(fresh).toFixed(0), freshMax.toFixed(0)],
            ['query, ms', median(queries).toFixed(0), Math.max(...queries).toFixed(0)],
            ['event-loop lag, ms', after.lagP50Ms.toFixed(1), after.lagMaxMs.toFixed(0)],
            ['memory (RSS), MB', '', (after.rssBytes / MEGABYTE).toFixed(0)],
            ['processors busy', cpu.toFixed(2), ''],
          ],
        },
      ],
      checks: [
        {
          name: `each change is shown within ${FRESH_MS_MAX} ms`,
          found: `${freshMax.toFixed(0)} ms at most`,
          isMet: fresh.length > 0 && freshMax < FRESH_MS_MAX,
        },
        {
          name: `event-loop lag under ${LAG_MS_MAX} ms`,
          found: `${after.lagMaxMs.toFixed(0)} ms, 99 of 100 under ${after.lagP99Ms.toFixed(1)} ms`,
          isMet: after.lagMaxMs < LAG_MS_MAX,
        },
      ],
    }
  },
}
