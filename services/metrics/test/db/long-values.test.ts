/** Labels and filters that are together longer than a statement may be, on the real engine. */
import type { OrderDocument } from '@merx/order-feed/order-document'
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const template = makeDocuments(3, 20).find(({ line_items: lines }) => lines[0]?.options[0] !== undefined)
const line = template?.line_items[0]
const option = line?.options[0]
if (template === undefined || line === undefined || option === undefined)
  throw new Error('no order has an option')

const MONTHS = 10
const IN_MONTH = 60
const filter = {
  order: { date_from: '2022-01-01T00:00:00Z', date_to: '2023-01-01T00:00:00Z', date_field: 'created_at' },
}

/** Each character of them is four in a statement. */
const quotes = Array.from({ length: 240 }, (_, index) => `${index}${"'".repeat(250)}`)

const orderAt = (index: number): OrderDocument => ({
  ...template,
  organization: { id: 'orgAAAAAAA', slug: 'acme', name: 'Acme' },
  mode: 'test',
  status: 'placed',
  id: `order${1_000 + index}`,
  created_at: `2022-${String((index % MONTHS) + 1).padStart(2, '0')}-01T00:00:00.000Z`,
  reference: `${1_000 + index}${'商'.repeat(250)}`,
  line_items:
    index > 0 ? [] : [{ ...line, name: 'Mug', options: [{ ...option, name: quotes.at(-1) ?? '' }] }],
})

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  app = await openTestApp({ engine: store.engine })
  const documents = Array.from({ length: MONTHS * IN_MONTH }, (_, index) => orderAt(index))
  await store.engine.insert('orders', documents.map(toRowOrder))
})

afterAll(async () => {
  await app.close()
  await store.close()
})

const counts = { field: 'order.id', operator: 'value_count' }

it('shows what is in buckets with the longest labels', async () => {
  const inner = { ...counts, by: 'order.reference', limit: 100, breakdown: { ...counts, by: 'order.status' } }
  const asked = { by: 'order.created_at', field: 'order.total_amount', operator: 'sum', breakdown: inner }
  const { status, body } = await app.ask('/metrics/orders/date_breakdown', { date_breakdown: asked, filter })
  expect(status).toBe(200)
  const { data } = body as { data: { 'order.reference': { label: string }[] }[] }
  expect(data).toHaveLength(MONTHS)
  for (const { 'order.reference': references } of data) {
    expect(references).toHaveLength(IN_MONTH)
    for (const one of references)
      expect(one).toMatchObject({ value: 1, 'order.status': [{ label: 'placed', value: 1 }] })
  }
})

it('takes the longest filter, also where it chooses records, their lines and what is in these', async () => {
  const breakdown = { by: 'line_items.name', field: 'line_items.options.id', operator: 'value_count' }
  const { status, body } = await app.ask('/metrics/orders/breakdown', {
    breakdown,
    filter: { ...filter, line_items: { options: { names: { in: quotes } } } },
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ data: { 'line_items.name': [{ label: 'Mug', value: 1 }] } })
})
