/** Carts and returns by the same rules as orders, each with the names of its own catalogue. */
import { underCartAlias } from '../support/arbitrary-request.ts'
import { claimsOf, createRecordingEngine, openTestApp, type TestApp } from '../support/test-app.ts'

const dates = { date_from: '2021-01-01T00:00:00Z', date_to: '2021-12-31T23:59:59Z' }
const READERS = new Map([
  ['roleOrders', [{ subject: 'orders', actions: ['read'] as const }]],
  ['roleReturn', [{ subject: 'returns', actions: ['read'] as const }]],
  ['roleLines', ['orders', 'line_items'].map((subject) => ({ subject, actions: ['read'] as const }))],
])

let app: TestApp
const recorded = createRecordingEngine()

beforeAll(async () => {
  app = await openTestApp({ engine: recorded.engine, env: { RATE_LIMIT_SCALE: '1000' }, roles: READERS })
})

afterAll(async () => {
  await app.close()
})

const stats = (record: string) => ({ field: `${record}.id`, operator: 'value_count' })

describe('violations of a filter', () => {
  it.each<[string, string, object, object]>([
    [
      'carts',
      'order',
      { order: { ...dates, date_field: 'placed_at' } },
      { order: [{ date_field: ['not valid, valid values are: current_date, created_at, updated_at'] }] },
    ],
    ['carts', 'order', { order: { archived: false } }, { order: [{ archived: ['not valid'] }] }],
    [
      'carts',
      'cart',
      { cart: { ...dates, date_field: 'placed_at' } },
      { cart: [{ date_field: ['not valid, valid values are: current_date, created_at, updated_at'] }] },
    ],
    [
      'carts',
      'cart',
      { cart: { date_from: dates.date_from } },
      { cart: [{ date_to: ['is required with date_from'] }] },
    ],
    ['carts', 'cart', { cart: { archived: false } }, { cart: [{ archived: ['not valid'] }] }],
    [
      'carts',
      'cart',
      { cart: dates, order: { guest: true } },
      { cart: ['not valid, it means the same as order: send one of them'] },
    ],
    ['orders', 'order', { cart: dates }, { cart: ['not valid'] }],
    ['carts', 'order', { shipments: { ids: { in: ['x'] } } }, { shipments: ['not valid'] }],
    ['carts', 'order', { refunds: { amount: { gt: 1 } } }, { refunds: ['not valid'] }],
    ['returns', 'return', { order: dates }, { order: ['not valid'] }],
    [
      'returns',
      'return',
      { return: { date_from: dates.date_from } },
      { return: [{ date_to: ['is required with date_from'] }] },
    ],
    [
      'returns',
      'return',
      { return: { statuses: { in: ['placed'] } } },
      {
        return: [
          {
            statuses: [
              'not valid, valid values are: draft, requested, approved, cancelled, shipped, rejected, received, refunded',
            ],
          },
        ],
      },
    ],
    [
      'returns',
      'return',
      { return_line_items: { line_item_tax_rate: { in: [1] } } },
      {
        return_line_items: [
          {
            line_item_tax_rate: [
              'not valid, valid operators are: eq, ne, gt, gte, lt, lte, gt_lt, gte_lte, gte_lt, gt_lte',
            ],
          },
        ],
      },
    ],
    ['returns', 'return', { line_items: { codes: { in: ['x'] } } }, { line_items: ['not valid'] }],
    ['returns', 'return', { origin_address: {} }, { origin_address: ["can't be blank if defined"] }],
  ])('of %s are named with what is allowed: %#', async (resource, record, filter, violation) => {
    const { status, body } = await app.ask(`/metrics/${resource}/stats`, { stats: stats(record), filter })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: { title: 'filter is not valid', meta: { errors: [violation] } } })
  })
})

describe('violations of a query', () => {
  it.each<[string, string, object, object]>([
    [
      'carts',
      'stats',
      { field: 'refunds.amount', operator: 'sum' },
      { field: [expect.stringMatching(/^not valid, valid values are: (?!.*refunds)/)] },
    ],
    [
      'carts',
      'date_breakdown',
      { by: 'order.placed_at', field: 'order.total_amount', operator: 'sum' },
      { by: [expect.stringContaining('order.created_at, order.current_date, order.updated_at')] },
    ],
    [
      'carts',
      'search',
      { fields: ['order.id'], sort_by: 'cart.placed_at' },
      {
        sort_by: [
          'not valid, valid values are: order.created_at, order.current_date, order.updated_at, cart.created_at, cart.current_date, cart.updated_at',
        ],
      },
    ],
    [
      'carts',
      'breakdown',
      { by: 'order.status', ...stats('cart'), breakdown: { by: 'cart.status', ...stats('order') } },
      { breakdown: [{ by: ['not valid, must differ from the by it is nested in'] }] },
    ],
    [
      'carts',
      'breakdown',
      {
        by: 'billing_address.business',
        ...stats('cart'),
        breakdown: { by: 'cart.status', ...stats('cart') },
      },
      { breakdown: [{ by: ['not valid, cannot be nested in billing_address.business'] }] },
    ],
    [
      'orders',
      'stats',
      { field: 'cart.id', operator: 'value_count' },
      { field: [expect.not.stringContaining('cart.')] },
    ],
    [
      'returns',
      'stats',
      { field: 'return.number', operator: 'cardinality' },
      { operator: ['not valid, valid values are: value_count'] },
    ],
    [
      'returns',
      'stats',
      { field: 'return.skus_count', operator: 'percentiles' },
      { operator: ['not valid, valid values are: avg, max, min, sum, stats'] },
    ],
    [
      'returns',
      'breakdown',
      { by: 'return.id', ...stats('return') },
      { by: [expect.stringContaining('return.status')] },
    ],
    [
      'returns',
      'date_breakdown',
      { by: 'return.restocked_at', field: 'return.skus_count', operator: 'sum' },
      { by: [expect.stringContaining('return.shipped_at')] },
    ],
    [
      'returns',
      'search',
      { fields: ['order.id'] },
      { fields: [expect.stringMatching(/^not valid: "order.id"; valid are attributes as in return.id/)] },
    ],
  ])('of %s %s are named with what is allowed: %#', async (resource, kind, query, violation) => {
    const { status, body } = await app.ask(`/metrics/${resource}/${kind}`, { [kind]: query })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: { title: 'query is not valid', meta: { errors: [{ [kind]: [violation] }] } },
    })
  })

  it('in a date_breakdown are the five operators of the contract for every resource', async () => {
    for (const [resource, query] of [
      ['carts', { by: 'order.created_at', ...stats('order') }],
      ['returns', { by: 'return.created_at', ...stats('return') }],
    ] as const) {
      const { body } = await app.ask(`/metrics/${resource}/date_breakdown`, { date_breakdown: query })
      expect(body).toMatchObject({
        error: {
          meta: {
            errors: [
              { date_breakdown: [{ operator: ['not valid, valid values are: avg, max, min, sum, stats'] }] },
            ],
          },
        },
      })
    }
  })
})

describe('names', () => {
  it.each(['cart.created_at', 'order.created_at'])('%s sorts carts by their creation', async (sortBy) => {
    recorded.statements.length = 0
    const search = { fields: ['order.id'], sort_by: sortBy }
    expect((await app.ask('/metrics/carts/search', { search })).status).toBe(200)
    expect(recorded.statements.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('ORDER BY `created_at` DESC NULLS LAST'),
    )
  })

  it.each([
    ['breakdown', { by: 'order.status', ...stats('order'), sort: 'desc' }],
    ['date_breakdown', { by: 'order.created_at', field: 'order.total_amount', operator: 'sum' }],
    ['stats', { field: 'order.total_amount', operator: 'sum' }],
    ['search', { fields: ['order.*', 'customer.email'], sort_by: 'order.created_at', limit: 5 }],
    ['export', { fields: ['order.id', 'order.number'], sort_by: 'order.updated_at' }],
  ])('cart.* and filter.cart give a %s of carts what order.* and filter.order give', async (kind, query) => {
    const path = `/metrics/carts/${kind}`
    const filter = { order: { ...dates, date_field: 'created_at', guest: true } }
    const body = { [kind === 'export' ? 'search' : kind]: query, filter }
    recorded.statements.length = 0
    expect((await app.ask(path, body)).status).toBe(200)
    const sent = recorded.statements.splice(0)
    expect((await app.ask(path, underCartAlias(body))).status).toBe(200)
    expect(recorded.statements).toEqual(sent)
    expect(sent.length).toBeGreaterThan(0)
  })

  it('return.restocked_at sorts returns', async () => {
    const search = { fields: ['return.id'], sort_by: 'return.restocked_at' }
    expect((await app.ask('/metrics/returns/search', { search })).status).toBe(200)
  })

  it.each([
    '/metrics/usage/search',
    '/metrics/analysis',
    '/metrics/analysis/fbt/x',
    '/metrics/analysis/search',
    '/metrics/orders/fbt',
    '/metrics/return/stats',
    '/metrics/constructor/stats',
  ])('%s is no path', async (path) => {
    expect((await app.ask(path, { stats: stats('order') })).status).toBe(404)
  })
})

describe('a custom role', () => {
  it.each([
    ['roleOrders', '/metrics/orders/stats', 'order', 200],
    ['roleOrders', '/metrics/carts/stats', 'order', 200],
    ['roleOrders', '/metrics/returns/stats', 'return', 401],
    ['roleReturn', '/metrics/returns/stats', 'return', 200],
    ['roleReturn', '/metrics/orders/stats', 'order', 401],
    ['roleReturn', '/metrics/carts/stats', 'order', 401],
  ])('%s on %s', async (role, path, record, status) => {
    const token = await app.mint(claimsOf('integration', { id: role, kind: 'custom' }))
    expect((await app.ask(path, { stats: stats(record) }, { token })).status).toBe(status)
  })

  it('reads what is bought together with orders and their lines, and exports each resource with its own', async () => {
    const ask = async (role: string, path: string, body: unknown) => {
      const token = await app.mint(claimsOf('integration', { id: role, kind: 'custom' }))
      return (await app.ask(path, body, { token })).status
    }
    const fbt = { filter: { line_items: { item_ids: { in: ['itemXXXXXX'] } } } }
    expect(await ask('roleLines', '/metrics/analysis/fbt', fbt)).toBe(200)
    expect(await ask('roleOrders', '/metrics/analysis/fbt', fbt)).toBe(401)
    expect(await ask('roleReturn', '/metrics/analysis/fbt', fbt)).toBe(401)
    const search = { fields: ['return.id'] }
    expect(await ask('roleReturn', '/metrics/returns/export', { search })).toBe(200)
    expect(await ask('roleOrders', '/metrics/returns/export', { search })).toBe(401)
  })
})
