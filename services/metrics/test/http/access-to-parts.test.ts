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
