/** What a custom role may learn of the parts of orders: customers, addresses, lines (docs/adr/0019-restrictions-of-custom-roles.md). */
import type { Permission } from '@merx/access-token/caller'
import { claimsOf, createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const ID = 'roleCustom'
const counted = { field: 'order.id', operator: 'value_count' }
const searched = (fields: readonly string[]) => ({ search: { fields } })

const read = (...subjects: readonly string[]): readonly Permission[] =>
  subjects.map((subject) => ({ subject, actions: ['read'] }))

const { engine, statements } = createRecordingEngine()
const roles = new Map<string, readonly Permission[]>()
let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ engine, env: { RATE_LIMIT_SCALE: '1000' }, roles })
})

afterAll(async () => {
  await app.close()
})

const ask = async (path: string, body: object, permissions: readonly Permission[]) => {
  roles.set(ID, permissions)
  statements.length = 0
  const token = await app.mint(claimsOf('integration', { id: ID, kind: 'custom' }))
  return app.ask(`/metrics/${path}`, body, { token })
}

it.each<[string, string, object, string]>([
  [
    'a group',
    'orders/breakdown',
    { breakdown: { by: 'customer.email', ...counted } },
    'customers, which customer.email tells of',
  ],
  [
    'an inner group',
    'orders/breakdown',
    {
      breakdown: {
        by: 'order.status',
        ...counted,
        breakdown: { by: 'billing_address.city', ...counted },
      },
    },
    'addresses, which billing_address.city tells of',
  ],
  [
    'a measure',
    'orders/stats',
    { stats: { field: 'line_items.quantity', operator: 'sum' } },
    'line_items, which line_items.quantity tells of',
  ],
  [
    'a filter',
    'orders/stats',
    { stats: counted, filter: { customer: { emails: { in: ['a@example.com'] } } } },
    'customers, which customer.email tells of',
  ],
  [
    'a full text',
    'orders/stats',
    { stats: counted, filter: { order: { aggregated_details: { query: '*smith*' } } } },
    'addresses, which order.aggregated_details tells of',
  ],
  [
    'a field',
    'orders/search',
    searched(['order.id', 'payment_method.name']),
    'payment_methods, which payment_method.name tells of',
  ],
  [
    'a wildcard of nothing else',
    'carts/search',
    searched(['customer.*']),
    'customers, which customer.email tells of',
  ],
  ['an exported field', 'orders/export', searched(['customer.id']), 'customers, which customer.id tells of'],
  [
    'items bought together',
    'analysis/fbt',
    { filter: { line_items: { item_ids: { in: ['a'] } } } },
    'line_items',
  ],
])('refuses %s of what the role may not read, before any query runs', async (_name, path, body, what) => {
  const { status, body: refused } = await ask(path, body, read('orders'))
  const title = `the access token may not read ${what}`
  expect({ status, refused }).toEqual({
    status: 401,
    refused: { error: { title, code: 'UNAUTHORIZED', status: 401 } },
  })
  expect(statements.filter(({ text }) => text.includes('FINAL'))).toEqual([])
})

it.each<[string, readonly string[], string]>([
  ['order.refunds_total_amount_with_taxes', ['orders'], 'refunds'],
  ['order.total_amount_with_taxes_net_of_refunds', ['orders'], 'refunds'],
  ['return_line_items.line_item_total_amount', ['returns', 'return_line_items'], 'line_items'],
  ['return_line_items.line_item_tax_amount', ['returns', 'return_line_items'], 'line_items'],
  ['return_line_items.line_item_tax_rate', ['returns', 'return_line_items'], 'line_items'],
])('refuses %s to who may read %j alone: it is made of %s', async (field, subjects, hidden) => {
  const [resource = ''] = subjects
  const stats = { field, operator: 'sum' }
  const { status, body } = await ask(`${resource}/stats`, { stats }, read(...subjects))
  expect(status).toBe(401)
  const title = `the access token may not read ${hidden}, which ${field} tells of`
  expect(body).toMatchObject({ error: { title } })
  const more = await ask(`${resource}/stats`, { stats }, read(...subjects, hidden))
  expect(more.status).toBe(200)
})

it.each<[string, string, object, readonly string[], string]>([
  ['orders', 'refunds', { order: { refunded: true } }, ['orders'], 'refunds, which order.refunded'],
  ['orders', 'returns', { order: { returned: true } }, ['orders'], 'returns, which order.returned'],
  [
    'orders',
    'items of shipments',
    { shipments: { items: { in: ['A'] } } },
    ['orders', 'shipments'],
    'stock_line_items, which shipments.items',
  ],
  [
    'returns',
    'types of lines',
    { return_line_items: { line_item_item_types: { in: ['skus'] } } },
    ['returns', 'return_line_items'],
    'line_items, which return_line_items.line_item_item_type',
  ],
  [
    'returns',
    'when lines were put back into stock',
    {
      return: {
        date_from: '2022-01-01T00:00:00Z',
        date_to: '2022-02-01T00:00:00Z',
        date_field: 'restocked_at',
      },
    },
    ['returns'],
    'return_line_items, which return.restocked_at',
  ],
])('refuses %s to be chosen by %s that the role may not read', async (resource, _name, filter, may, what) => {
  const stats = { field: `${resource.slice(0, -1)}.id`, operator: 'value_count' }
  const { status, body } = await ask(`${resource}/stats`, { stats, filter }, read(...may))
  expect(status).toBe(401)
  expect(body).toMatchObject({ error: { title: `the access token may not read ${what} tells of` } })
})

it('answers what the role may read, and refuses it with the first restriction of reading', async () => {
  const body = { breakdown: { by: 'customer.email', ...counted } }
  expect((await ask('orders/breakdown', body, read('orders', 'customers'))).status).toBe(200)
  const restricted: Permission = {
    subject: 'customers',
    actions: ['read'],
    restrictions: { fields: { read: ['customer_group'] } },
  }
  expect((await ask('orders/breakdown', body, [...read('orders'), restricted])).status).toBe(401)
})

it('leaves out of a wildcard what the role may not read', async () => {
  const body = searched(['order.*', 'shipments.*'])
  const { status } = await ask('orders/search', body, read('orders', 'shipments'))
  expect(status).toBe(200)
  const texts = statements.map(({ text }) => text).join()
  expect(texts).toContain('`shipments.number`')
  expect(texts).not.toContain('aggregated_details')
})

it('asks for nothing more of an administrator', async () => {
  const body = { breakdown: { by: 'customer.email', ...counted } }
  expect((await app.ask('/metrics/orders/breakdown', body)).status).toBe(200)
})
