/** Lines written by hand have no item and no type (docs/adr/0023): what they are in each kind of question. */
import { toRowOrder } from '../../src/ingest/order-row.ts'
import { makeDocuments } from '../support/documents.ts'
import { openStore, type TestStore } from '../support/open-store.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const own = makeDocuments(7, 200).filter(
  ({ organization, mode, status }) =>
    organization.id === 'orgAAAAAAA' && mode === 'test' && ['placed', 'approved'].includes(status),
)
const [first] = own
if (first === undefined) throw new Error('no order was drawn')
const [line] = own.flatMap(({ line_items: lines }) => lines)
if (line === undefined) throw new Error('no line was drawn')
const PLACED = '2022-06-27T06:01:32.361Z'
const document = {
  ...first,
  placed_at: PLACED,
  skus_count: 2,
  line_items: [
    {
      ...line,
      id: 'lineAAAAAA',
      item_id: 'itemAAAAAA',
      item_type: 'skus',
      code: 'A',
      quantity: 2,
      options: [],
    },
    { ...line, id: 'lineBBBBBB', item_id: null, item_type: '', code: null, quantity: 3, options: [] },
  ],
}
const filter = {
  order: { date_from: '2022-06-01T00:00:00Z', date_to: '2022-06-30T00:00:00Z', date_field: 'placed_at' },
}

let store: TestStore
let app: TestApp

beforeAll(async () => {
  store = await openStore()
  await store.engine.insert('orders', [toRowOrder(document)])
  app = await openTestApp({ engine: store.engine, env: { RATE_LIMIT_SCALE: '1000' } })
})

afterAll(async () => {
  await app.close()
  await store.close()
})

const dataOf = async (kind: string, body: object): Promise<unknown> => {
  const { status, body: answer } = await app.ask(`/metrics/orders/${kind}`, body)
  expect([status, answer]).toMatchObject([200, {}])
  return (answer as { data: unknown }).data
}

const quantityOf = (types: object) =>
  dataOf('stats', {
    stats: { field: 'line_items.quantity', operator: 'sum' },
    filter: { ...filter, line_items: { types } },
  })

it('have no bucket among the types', async () => {
  const breakdown = { by: 'line_items.item_type', field: 'line_items.quantity', operator: 'sum' }
  expect(await dataOf('breakdown', { breakdown, filter })).toEqual({
    'line_items.item_type': [{ label: 'skus', value: 2 }],
  })
  const counted = { by: 'line_items.item_type', field: 'order.id', operator: 'value_count' }
  expect(await dataOf('breakdown', { breakdown: counted, filter })).toEqual({
    'line_items.item_type': [{ label: 'skus', value: 1 }],
  })
})

it('are not among the SKUs, whose quantities add up to skus_count', async () => {
  expect(await quantityOf({ in: ['skus', 'bundles'] })).toEqual({ value: 2 })
  const stats = { field: 'order.skus_count', operator: 'sum' }
  expect(await dataOf('stats', { stats, filter })).toEqual({ value: 2 })
})

it('are selected by what excludes other types', async () => {
  expect(await quantityOf({ not_in: ['skus'] })).toEqual({ value: 3 })
})

it('are not what the empty text names, as that is no type', async () => {
  expect(await quantityOf({ in: [''] })).toEqual({ value: 0 })
  expect(await quantityOf({ in: ['', 'skus'] })).toEqual({ value: 2 })
  expect(await quantityOf({ not_in: [''] })).toEqual({ value: 5 })
  expect(await quantityOf({ not_in: ['', 'skus'] })).toEqual({ value: 3 })
})

it('show no type in a search', async () => {
  const search = {
    fields: ['line_items.id', 'line_items.item_type'],
    sort: 'desc',
    sort_by: 'order.placed_at',
    limit: 1,
  }
  expect(await dataOf('search', { search, filter })).toMatchObject([
    { line_items: [{ id: 'lineAAAAAA', item_type: 'skus' }, { id: 'lineBBBBBB' }] },
  ])
  expect(JSON.stringify(await dataOf('search', { search, filter }))).not.toContain('"item_type":""')
})
