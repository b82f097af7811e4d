/**
 * Orders that were sold through the interface, in every state they can be left in: what metrics answers about them, over
 * HTTP, is what the naive evaluator of the parity suite says of the documents in core's feed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { OrderDocument, OrderFeedPage } from '@merx/order-feed/order-document'
import fc from 'fast-check'
import {
  arbitraryRequest,
  type ArbitraryRequest,
} from '../services/metrics/test/support/arbitrary-request.ts'
import { toView, type View } from '../services/metrics/test/support/oracle-view.ts'
import { evaluate } from '../services/metrics/test/support/oracle.ts'
import { resourceData } from '../services/metrics/test/support/resource-data.ts'
import { texts } from '../services/metrics/test/support/text-queries.ts'
import { accessToken, connect } from './support/connect.ts'
import { dataDir, organization } from './support/demo.ts'
import { sell, type Step } from './support/sell.ts'
import type { CollectionDocument, SearchAnswer } from './support/wire.ts'

const RESOURCES = ['orders', 'carts'] as const
const PATIENCE_MS = 100_000
const REQUESTS = 100
const SEED = 11

const PLACED = ['lines', 'address', 'place'] as const
const CAPTURED = [...PLACED, 'approve', 'capture'] as const

/** Each way to leave an order, with the statuses it then has. */
const STORIES: readonly (readonly [steps: readonly Step[], statuses: string])[] = [
  [['lines'], 'draft unpaid unfulfilled'],
  [['lines', 'address'], 'pending unpaid unfulfilled'],
  [PLACED, 'placed authorized unfulfilled'],
  [[...PLACED, 'cancel'], 'cancelled voided unfulfilled'],
  [[...PLACED, 'approve'], 'approved authorized unfulfilled'],
  [[...PLACED, 'approve', 'cancel'], 'cancelled voided unfulfilled'],
  [CAPTURED, 'approved paid in_progress'],
  [[...CAPTURED, 'pack'], 'approved paid in_progress'],
  [[...CAPTURED, 'pack', 'ship'], 'approved paid fulfilled'],
  [[...CAPTURED, 'pack', 'ship', 'deliver'], 'approved paid fulfilled'],
  [[...CAPTURED, 'refund a part'], 'approved partially_refunded in_progress'],
  [[...CAPTURED, 'refund'], 'cancelled refunded unfulfilled'],
  [[...CAPTURED, 'pack', 'ship', 'refund'], 'cancelled refunded fulfilled'],
]

interface Connection {
  readonly environment: { readonly CORE_INTERNAL_URL: string; readonly SERVICE_KEY: string }
}

/** The documents of these orders, as the last page of core's feed that names each has them. */
const documentsOf = async (ids: readonly string[]): Promise<readonly OrderDocument[]> => {
  const { environment } = JSON.parse(readFileSync(join(dataDir(), 'connection.json'), 'utf8')) as Connection
  const found = new Map<string, OrderDocument>()
  let cursor: string | undefined
  for (;;) {
    const after = cursor === undefined ? '' : `&after=${encodeURIComponent(cursor)}`
    const answer = await fetch(
      `${environment.CORE_INTERNAL_URL}/internal/order-feed?limit=500&wait_seconds=0${after}`,
      { headers: { authorization: `Bearer ${environment.SERVICE_KEY}` } },
    )
    if (!answer.ok) throw new Error(`order feed: ${answer.status} ${await answer.text()}`)
    const page = (await answer.json()) as OrderFeedPage
    for (const entry of page.entries)
      if (entry.kind === 'upsert' && ids.includes(entry.document.id))
        found.set(entry.document.id, entry.document)
    if (page.caught_up) return [...found.values()]
    cursor = page.cursor
  }
}

/** `updated_at` of these orders in metrics, carts among them. */
const timesIn = async (ids: readonly string[]): Promise<ReadonlyMap<unknown, unknown>> => {
  const search = { fields: ['order.id', 'order.updated_at'], limit: 100 }
  const filter = { order: { date_field: 'created_at', ids: { in: ids } } }
  const token = await accessToken('integration')
  const found = await Promise.all(
    RESOURCES.map(async (name) => {
      const reply = await connect().metrics(`${name}/search`, { search, filter }, { token })
      if (reply.status !== 200) throw new Error(reply.text)
      return reply.json<SearchAnswer>().data
    }),
  )
  return new Map(found.flat().map(({ id, updated_at: at }) => [id, at]))
}

const untilInMetrics = async (documents: readonly OrderDocument[]): Promise<void> => {
  const since = performance.now()
  const ids = documents.map(({ id }) => id)
  for (;;) {
    const times = await timesIn(ids)
    const late = documents.filter(({ id, updated_at: at }) => times.get(id) !== at)
    if (late.length === 0) return
    if (performance.now() - since > PATIENCE_MS)
      throw new Error(
        `not in metrics after ${PATIENCE_MS} ms: ${late.map(({ id, updated_at: at }) => `${id} ${at} is ${String(times.get(id))}`).join(', ')}`,
      )
    await wait(50)
  }
}

/** Codes of SKUs that can be bought, a few of them. */
const codesInStock = async (): Promise<readonly string[]> => {
  const token = await accessToken('sales_channel')
  const page = await connect().core('skus', {
    token,
    query: { 'page[size]': 25, 'filter[q][stock_items_quantity_gt]': 50 },
  })
  return page
    .json<CollectionDocument>()
    .data.map(({ attributes }) => String(attributes['code']))
    .slice(0, 4)
}

let sold: readonly string[]
let documents: readonly OrderDocument[]

beforeAll(async () => {
  const codes = await codesInStock()
  const ids: string[] = []
  for (const [index, [steps]] of STORIES.entries())
    ids.push(
      await sell(
        {
          email: `sold.${index}.${Date.now()}@example.com`,
          skuCode: codes[index % codes.length] ?? '',
          quantity: 1 + (index % 3),
        },
        steps,
      ),
    )
  sold = ids
  documents = await documentsOf(ids)
  await untilInMetrics(documents)
}, 300_000)

it('are in the feed once each, with the statuses that their stories lead to', () => {
  const statuses = new Map(
    documents.map(({ id, status, payment_status, fulfillment_status }) => [
      id,
      `${status} ${payment_status} ${fulfillment_status}`,
    ]),
  )
  expect(sold.map((id) => statuses.get(id))).toEqual(STORIES.map(([, expected]) => expected))
})

const onlySold = ({ body, ...rest }: ArbitraryRequest): ArbitraryRequest => {
  const filter = (body['filter'] ?? {}) as Readonly<Record<string, object>>
  return {
    ...rest,
    body: { ...body, filter: { ...filter, order: { ...filter['order'], ids: { in: sold } } } },
  }
}

const ask = async (resource: string, { kind, body }: ArbitraryRequest): Promise<unknown> => {
  const token = await accessToken('integration')
  const reply = await connect().metrics(`${resource}/${kind}`, body, { token })
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json<{ readonly data: unknown }>().data
}

describe('metrics answers what the naive evaluator does', () => {
  it.each(RESOURCES)(
    'about %s',
    async (name) => {
      const { filters, record, population, attributes } = resourceData[name]
      const views: readonly View[] = documents.map(toView)
      const searchable = Object.keys(attributes).filter((path) => attributes[path]?.search === true)
      const scope = { organizationId: organization().id, mode: 'test' }
      const about = { views, record, population, filters, texts, searchable, exportable: [], scope }
      const property = fc.asyncProperty(arbitraryRequest(resourceData[name], views), async (request) => {
        fc.pre(request.dialect === 'strict' && request.kind !== 'export')
        const asked = onlySold(request)
        const expected = evaluate(asked.kind, asked.body, { ...about, now: new Date() })
        const limit = (asked.body['search'] as { readonly limit?: number } | undefined)?.limit
        expect(await ask(name, asked)).toEqual(
          asked.kind === 'search' ? (expected as readonly unknown[]).slice(0, limit ?? 25) : expected,
        )
      })
      await fc.assert(property, { seed: SEED, numRuns: REQUESTS })
    },
    60_000 + REQUESTS * 500,
  )
})
