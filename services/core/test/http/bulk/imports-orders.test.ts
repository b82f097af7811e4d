/** Imports of what has more to its writes than a row: orders that happened elsewhere, lines, tags. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { NOW, openCore, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imports_orders')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Attributes = Readonly<Record<string, unknown>>

const run = async (attributes: Attributes): Promise<ResourceObject> => {
  const body = { data: { type: 'imports', attributes } }
  const { data } = singleOf(await core.send('POST', '/api/imports', core.tokens.admin, body))
  await core.jobs.runUntilIdle()
  return singleOf(await core.get(`/api/imports/${data.id}`, core.tokens.admin)).data
}

const orders = async (path: string) =>
  (await core.get(`/api/orders?${path}`, core.tokens.admin)).body as {
    readonly data: readonly ResourceObject[]
    readonly included?: readonly ResourceObject[]
  }

const placed = {
  number: 'OLD-1',
  status: 'placed',
  payment_status: 'paid',
  fulfillment_status: 'fulfilled',
  placed_at: '2020-05-01T10:00:00Z',
  customer_email: 'ada@example.com',
  line_items: [
    { sku_code: 'SKU-A', quantity: 2, unit_amount_cents: 1500 },
    { sku_code: 'SKU-B', quantity: 1 },
  ],
}

describe('orders', () => {
  it('keep the state they had, with their lines and sums', async () => {
    const job = await run({
      resource_type: 'orders',
      parent_resource_id: encodeId('markets', 1),
      inputs: [placed],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 1, errors_log: {} })
    const { data, included } = await orders('filter[q][number_eq]=OLD-1&include=line_items,customer')
    expect(data[0]?.attributes).toMatchObject({
      status: 'placed',
      payment_status: 'paid',
      fulfillment_status: 'fulfilled',
      placed_at: '2020-05-01T10:00:00.000Z',
      currency_code: 'EUR',
      subtotal_amount_cents: 7000,
      total_amount_with_taxes_cents: 7000,
    })
    expect(
      included?.map(({ type, attributes }) => [type, attributes['sku_code'] ?? attributes['email']]),
    ).toEqual(
      expect.arrayContaining([
        ['line_items', 'SKU-A'],
        ['line_items', 'SKU-B'],
        ['customers', 'ada@example.com'],
      ]),
    )
  })

  it('that exist are updated by their number, and get no second lines', async () => {
    await run({ resource_type: 'orders', parent_resource_id: encodeId('markets', 1), inputs: [placed] })
    const job = await run({
      resource_type: 'orders',
      parent_resource_id: encodeId('markets', 1),
      inputs: [{ ...placed, status: 'cancelled', cancelled_at: '2020-06-01' }],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 1, errors_log: {} })
    const { data, included } = await orders('filter[q][number_eq]=OLD-1&include=line_items')
    expect(data[0]?.attributes['status']).toBe('cancelled')
    expect(included).toHaveLength(2)
    const message = 'are written with a new record only, and were left out; import them as line_items'
    expect(job.attributes).toMatchObject({
      warnings_count: 1,
      warnings_log: { 'OLD-1': { line_items: [message] } },
    })
  })

  it('without the time they were placed at were placed when they are imported, and the log says so', async () => {
    const market_id = encodeId('markets', 1)
    const imported = async (...inputs: readonly Attributes[]) =>
      (await run({ resource_type: 'orders', inputs, skip_errors: true })).attributes
    const placedAt = async (): Promise<Attributes> => {
      const times: Record<string, unknown> = {}
      for (const { attributes } of (await orders('filter[q][number_start]=T-&sort=id')).data)
        times[String(attributes['number'])] = attributes['placed_at']
      return times
    }
    const statuses = ['draft', 'pending', 'placed', 'editing', 'approved', 'cancelled']
    const job = await imported(...statuses.map((status) => ({ number: `T-${status}`, status, market_id })))
    expect(job).toMatchObject({ processed_count: 6, errors_count: 0, warnings_count: 3 })
    const message = 'was not given, so it is the time of the import'
    expect(job['warnings_log']).toEqual(
      Object.fromEntries(
        ['placed', 'editing', 'approved'].map((name) => [`T-${name}`, { placed_at: [message] }]),
      ),
    )
    const times = { 'T-draft': null, 'T-pending': null, 'T-cancelled': null }
    const now = { 'T-placed': NOW, 'T-editing': NOW, 'T-approved': NOW }
    expect(await placedAt()).toEqual({ ...times, ...now })
    await core.pool.query(`UPDATE orders SET placed_at = '2020-01-01' WHERE number = 'T-placed'`)
    expect(
      await imported(
        { number: 'T-placed', status: 'approved' },
        { number: 'T-placed', placed_at: null, reference: 'R' },
        { number: 'T-draft', status: 'placed', placed_at: null },
        { number: 'T-pending', status: 'placed', placed_at: '2020-02-01' },
      ),
    ).toMatchObject({ errors_count: 0, warnings_count: 2 })
    expect(await placedAt()).toEqual({
      ...now,
      'T-placed': '2020-01-01T00:00:00.000Z',
      'T-draft': NOW,
      'T-pending': '2020-02-01T00:00:00.000Z',
      'T-cancelled': null,
    })
    expect(await imported({ id: encodeId('orders', 2), reference: 'R' })).toMatchObject({ warnings_count: 0 })
  })

  it('may have sold what is not in stock here, and keep the state they had', async () => {
    const line_items = [{ sku_code: 'SKU-C', quantity: 500 }]
    const cart = { number: 'OLD-6', status: 'draft', customer_email: 'ada@example.com', line_items }
    await run({ resource_type: 'orders', parent_resource_id: encodeId('markets', 1), inputs: [cart] })
    const { data } = await orders('filter[q][number_eq]=OLD-6')
    expect(data[0]?.attributes).toMatchObject({ status: 'draft', total_amount_cents: 500 * 9000 })
  })

  it('and their lines may say null for links they have not', async () => {
    const line = { sku_code: 'SKU-A', item_type: null, item_id: null, quantity: 1 }
    const job = await run({
      resource_type: 'orders',
      parent_resource_id: encodeId('markets', 1),
      inputs: [{ number: 'OLD-7', payment_source_id: null, line_items: [line] }],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', errors_log: {} })
    const { included } = await orders('filter[q][number_eq]=OLD-7&include=line_items')
    expect(included?.map(({ attributes }) => attributes['item_type'])).toEqual(['skus'])
  })

  it('with a wrong line are not stored at all, and the log names the line', async () => {
    const job = await run({
      resource_type: 'orders',
      skip_errors: true,
      inputs: [
        {
          number: 'OLD-2',
          market_id: encodeId('markets', 1),
          line_items: [
            { sku_code: 'SKU-A', quantity: 1 },
            { sku_code: 'NOPE', quantity: 1 },
          ],
        },
        { number: 'OLD-3', market_id: encodeId('markets', 1), status: 'lost' },
        { number: 'OLD-4', market_id: encodeId('markets', 1), line_items: 'none' },
        { number: 'OLD-5', market_id: encodeId('markets', 1) },
      ],
    })
    expect(job.attributes).toMatchObject({ processed_count: 1, errors_count: 3 })
    const log = job.attributes['errors_log'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
    expect(Object.keys(log['OLD-2'] ?? {})[0]).toMatch(/^line_items\[1\]\./)
    expect(log['OLD-3']).toEqual({ status: ['is not included in the list'] })
    expect(log['OLD-4']).toEqual({ line_items: ['must be a list of objects'] })
    expect((await orders('filter[q][number_start]=OLD-')).data).toHaveLength(1)
  })

  it('cannot be given a state by anything but an import', async () => {
    const attributes = { status: 'placed' }
    const id = encodeId('orders', 1)
    const response = await core.send('PATCH', `/api/orders/${id}`, core.tokens.admin, {
      data: { type: 'orders', id, attributes },
    })
    expect(response.status).toBe(400)
  })
})

describe('tags', () => {
  it('are created, set by name and by id, added and removed', async () => {
    const made = await run({
      resource_type: 'tags',
      inputs: [{ name: 'summer' }, { name: 'sale' }, { name: 'not a tag' }],
      skip_errors: true,
    })
    expect(made.attributes).toMatchObject({ processed_count: 2, errors_count: 1 })
    const job = await run({
      resource_type: 'skus',
      format: 'csv',
      inputs: 'code,tags.name,_add_tags\nSKU-A,"summer,sale",\nSKU-B,,sale\n',
    })
    expect(job.attributes).toMatchObject({
      status: 'completed',
      processed_count: 2,
      errors_log: {},
    })
    const tagged = async (name: string) =>
      (
        (await core.get(`/api/skus?filter[q][tags_name_eq]=${name}`, core.tokens.admin)).body as {
          readonly data: readonly ResourceObject[]
        }
      ).data.map(({ attributes }) => attributes['code'])
    expect([await tagged('summer'), await tagged('sale')]).toEqual([['SKU-A'], ['SKU-A', 'SKU-B']])
  })
})
