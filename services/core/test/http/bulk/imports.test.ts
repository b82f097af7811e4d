/** core-conventions.md 12.1: many records written by a worker, exactly once whatever happens to it. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { eventually } from '@merx/testing/eventually'
import { dieInTransaction } from '../../support/die-in-transaction.ts'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imports')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Attributes = Readonly<Record<string, unknown>>

const begin = (attributes: Attributes, token = core.tokens.admin) =>
  core.send('POST', '/api/imports', token, { data: { type: 'imports', attributes } })

const read = async (id: string) => singleOf(await core.get(`/api/imports/${id}`, core.tokens.admin)).data

const run = async (attributes: Attributes): Promise<ResourceObject> => {
  const { data } = singleOf(await begin(attributes))
  await core.jobs.runUntilIdle()
  return read(data.id)
}

const rowsOf = async (sql: string): Promise<readonly Record<string, unknown>[]> =>
  (await core.pool.query<Record<string, unknown>>(sql)).rows

const category = encodeId('shipping_categories', 1)
const list = encodeId('price_lists', 1)
const location = encodeId('stock_locations', 1)
const sku = (at: number, more: Attributes = {}) => ({
  code: `NEW-${at}`,
  name: `New ${at}`,
  shipping_category_id: category,
  ...more,
})

describe('an import', () => {
  it('emits events of its start and end', async () => {
    const { id } = await run({ resource_type: 'skus', inputs: [sku(1)] })
    const events = listOf(await core.get(`/api/imports/${id}/events?sort=id`, core.tokens.admin))
    expect(events.data.map(({ attributes }) => attributes['name'])).toEqual([
      'imports.create',
      'imports.start',
      'imports.complete',
    ])
  })

  it('is pending first, then completed with its counts', async () => {
    const { status, body } = await begin({ resource_type: 'skus', inputs: [sku(1), sku(2)] })
    expect(status).toBe(201)
    const { data } = singleOf({ status, body } as never)
    expect(data.attributes).toMatchObject({
      resource_type: 'skus',
      format: 'json',
      status: 'pending',
      inputs_size: 2,
      processed_count: 0,
      errors_count: 0,
      started_at: null,
      skip_errors: false,
    })
    expect(data.attributes).not.toHaveProperty('inputs')
    await core.jobs.runUntilIdle()
    expect((await read(data.id)).attributes).toMatchObject({
      status: 'completed',
      processed_count: 2,
      errors_count: 0,
      errors_log: {},
      completed_at: expect.any(String) as string,
    })
    expect(
      await rowsOf(
        `SELECT code, shipping_category_id, do_not_ship FROM skus WHERE code LIKE 'NEW-%' ORDER BY id`,
      ),
    ).toEqual([
      { code: 'NEW-1', shipping_category_id: 1, do_not_ship: false },
      { code: 'NEW-2', shipping_category_id: 1, do_not_ship: false },
    ])
  })

  it('updates what has the same key or the id it gives, and keeps what it does not name', async () => {
    const job = await run({
      resource_type: 'skus',
      inputs: [
        { code: 'SKU-A', name: 'Renamed' },
        { id: encodeId('skus', 2), name: 'By id', metadata: { a: [1] }, weight: 1.5 },
        sku(1),
        { code: 'NEW-1', name: 'The later one counts' },
      ],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 4, errors_log: {} })
    expect(
      await rowsOf(`SELECT code, name, metadata, weight FROM skus
        WHERE environment_id = 1 AND (id IN (1, 2) OR code = 'NEW-1') ORDER BY id`),
    ).toEqual([
      {
        code: 'SKU-A',
        name: 'Renamed',
        metadata: { season: { year: 2026 }, tags: ['a', 'b'] },
        weight: 300.5,
      },
      { code: 'SKU-B', name: 'By id', metadata: { a: [1] }, weight: 1.5 },
      { code: 'NEW-1', name: 'The later one counts', metadata: {}, weight: null },
    ])
  })

  it('finds customers again by their address, however it is spelled', async () => {
    const before = await rowsOf('SELECT id FROM customers WHERE environment_id = 1')
    await run({ resource_type: 'customers', inputs: [{ email: 'Again@Example.com', reference: 'first' }] })
    const again = [{ email: 'aGAIN@example.COM', reference: 'second' }, { email: 'other@example.com' }]
    const job = await run({ resource_type: 'customers', inputs: again })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 2, errors_log: {} })
    const known = before.map(({ id }) => Number(id)).join() || '0'
    expect(
      await rowsOf(
        `SELECT email, reference FROM customers WHERE environment_id = 1 AND id NOT IN (${known}) ORDER BY id`,
      ),
    ).toEqual([
      { email: 'again@example.com', reference: 'second' },
      { email: 'other@example.com', reference: null },
    ])
  })

  it('runs the rules of single writes: prices know their SKU and currency, the parent fills in the list', async () => {
    const job = await run({
      resource_type: 'prices',
      parent_resource_id: list,
      inputs: [
        { sku_code: 'SKU-E', amount_cents: 100 },
        { sku_code: 'SKU-A', amount_cents: 4999 },
        { sku_id: encodeId('skus', 2), amount_cents: 1, price_list_id: encodeId('price_lists', 2) },
        { sku_code: 'SKU-F', amount_cents: 5, 'price_list.code': 'eu' },
      ],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 4, errors_log: {} })
    expect(
      await rowsOf(`SELECT sku_code, amount_cents, original_amount_cents, currency_code, price_list_id FROM prices
        WHERE environment_id = 1 AND amount_cents IN (100, 4999, 1, 5) ORDER BY amount_cents`),
    ).toEqual([
      {
        sku_code: 'SKU-B',
        amount_cents: 1,
        original_amount_cents: 1,
        currency_code: 'USD',
        price_list_id: 2,
      },
      {
        sku_code: 'SKU-F',
        amount_cents: 5,
        original_amount_cents: 5,
        currency_code: 'EUR',
        price_list_id: 1,
      },
      {
        sku_code: 'SKU-E',
        amount_cents: 100,
        original_amount_cents: 100,
        currency_code: 'EUR',
        price_list_id: 1,
      },
      {
        sku_code: 'SKU-A',
        amount_cents: 4999,
        original_amount_cents: 4999,
        currency_code: 'EUR',
        price_list_id: 1,
      },
    ])
    expect(await rowsOf('SELECT count(*) AS count FROM prices WHERE environment_id = 1')).toEqual([
      { count: 8 },
    ])
  })

  it('logs the violations of each item and stores the others', async () => {
    const job = await run({
      resource_type: 'stock_items',
      skip_errors: true,
      inputs: [
        { sku_code: 'SKU-C', stock_location_id: location, quantity: 3 },
        { sku_code: 'NOPE', stock_location_id: location, quantity: 3 },
        { sku_code: 'SKU-D', stock_location_id: 'abcdefghij', quantity: -1 },
        { sku_code: 'SKU-A', 'stock_location.code': 'nowhere', quantity: 1 },
        { sku_code: 'SKU-A', stock_location_id: location, quantity: 1, colour: 'red' },
        { quantity: 1, stock_location_id: location },
        { id: 'abcdefghij', quantity: 1 },
      ],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 1, errors_count: 6 })
    expect(job.attributes['errors_log']).toEqual({
      NOPE: { sku_code: ['must be the code of an existing SKU'] },
      'SKU-D': { quantity: ['must be greater than or equal to 0'], stock_location: ["doesn't exist"] },
      'SKU-A': { 'stock_location.code': ["doesn't exist"], stock_location: ["can't be blank"] },
      'SKU-A (item 5)': { colour: ['is no attribute or relationship of stock_items'] },
      'item 6': { sku: ["can't be blank, unless sku_code is given"] },
      abcdefghij: expect.objectContaining({ id: ["doesn't exist"] }) as unknown,
    })
    expect(
      await rowsOf(`SELECT quantity FROM stock_items WHERE sku_code = 'SKU-C' AND stock_location_id = 1`),
    ).toEqual([{ quantity: 3 }])
  })

  it('stops at the item that makes more than a tenth wrong, and says which it was', async () => {
    const inputs = Array.from({ length: 20 }, (_, at) => (at % 2 === 1 ? { ...sku(at), name: '' } : sku(at)))
    const job = await run({ resource_type: 'skus', inputs })
    expect(job.attributes).toMatchObject({
      status: 'interrupted',
      processed_count: 3,
      errors_count: 3,
      interrupted_at: expect.any(String) as string,
      completed_at: null,
    })
    expect(await rowsOf(`SELECT code FROM skus WHERE code LIKE 'NEW-%' ORDER BY id`)).toEqual([
      { code: 'NEW-0' },
      { code: 'NEW-2' },
      { code: 'NEW-4' },
    ])
  })

  it('leaves out what is read-only with a warning, so that an exported file can be imported', async () => {
    const job = await run({
      resource_type: 'prices',
      inputs: [
        {
          sku_code: 'SKU-A',
          price_list_id: list,
          amount_cents: 7,
          formatted_amount: '€0,07',
          created_at: '2020-01-01T00:00:00Z',
        },
      ],
    })
    expect(job.attributes).toMatchObject({
      status: 'completed',
      warnings_count: 1,
      warnings_log: {
        'SKU-A': {
          formatted_amount: ['is read-only and was left out'],
          created_at: ['is read-only and was left out'],
        },
      },
    })
  })

  it('leaves out what an export included and is not there, with a warning; what is required is blank then', async () => {
    const customers = await run({
      resource_type: 'customers',
      inputs: [{ email: 'moved@example.com', customer_group: { name: 'VIP', code: 'elsewhere' } }],
    })
    expect(customers.attributes).toMatchObject({
      status: 'completed',
      errors_log: {},
      warnings_log: { 'moved@example.com': { customer_group: ["doesn't exist, and was left out"] } },
    })
    const inputs = [{ sku_code: 'SKU-E', amount_cents: 7, price_list: { code: 'elsewhere' } }]
    const prices = await run({ resource_type: 'prices', inputs, skip_errors: true })
    expect(prices.attributes).toMatchObject({
      processed_count: 0,
      errors_log: { 'SKU-E': { price_list: ["can't be blank"] } },
      warnings_log: { 'SKU-E': { price_list: ["doesn't exist, and was left out"] } },
    })
  })

  it('stores one by one when the database refuses the rows together', async () => {
    const job = await run({
      resource_type: 'skus',
      skip_errors: true,
      inputs: [
        sku(1),
        { id: encodeId('skus', 1), code: 'NEW-9' },
        // In the same turn the code is not yet taken; only the database knows.
        sku(9, { code: 'NEW-9' }),
        sku(2),
      ],
    })
    expect(job.attributes).toMatchObject({ status: 'completed', processed_count: 3, errors_count: 1 })
    expect(job.attributes['errors_log']).toEqual({
      'NEW-9': { base: ['another of the skus has the same code'] },
    })
  })

  it('gives what it was sent as a gzip file at an address that expires', async () => {
    const inputs = [sku(1), sku(2)]
    const { data } = singleOf(await begin({ resource_type: 'skus', inputs }))
    const url = new URL(String(data.attributes['attachment_url']))
    const file = await core.client.get(url.pathname + url.search, {})
    expect(file.status).toBe(200)
    expect(file.headers['content-type']).toBe('application/gzip')
    const forged = url.search.replace(/signature=.{4}/, 'signature=AAAA')
    expect((await core.client.get(url.pathname + forged, {})).status).toBe(404)
    core.clock.advance(301)
    expect((await core.client.get(url.pathname + url.search, {})).status).toBe(404)
  })
})

describe('a job', () => {
  it('can be interrupted until it is over, and deleted', async () => {
    const { data } = singleOf(await begin({ resource_type: 'skus', inputs: [sku(1)] }))
    const interrupt = () =>
      core.send('PATCH', `/api/imports/${data.id}`, core.tokens.admin, {
        data: { type: 'imports', id: data.id, attributes: { _interrupt: true } },
      })
    expect(singleOf(await interrupt()).data.attributes['status']).toBe('interrupted')
    await core.jobs.runUntilIdle()
    expect((await read(data.id)).attributes).toMatchObject({ status: 'interrupted', processed_count: 0 })
    const again = singleOf(await interrupt()).data.attributes
    expect(again['status']).toBe('interrupted')
    const events = listOf(await core.get(`/api/imports/${data.id}/events?sort=id`, core.tokens.admin))
    expect(events.data.map(({ attributes }) => attributes['name'])).toEqual([
      'imports.create',
      'imports.interrupt',
    ])
    expect((await core.send('DELETE', `/api/imports/${data.id}`, core.tokens.admin)).status).toBe(204)
  })

  it('that fails for an error inside Merx is interrupted and keeps no other waiting', async () => {
    const broken = singleOf(await begin({ resource_type: 'skus', inputs: [sku(1)] })).data
    await core.pool.query(`UPDATE imports SET requested_by = '{}'`)
    const job = await run({ resource_type: 'skus', inputs: [sku(2)] })
    expect(job.attributes['status']).toBe('completed')
    expect((await read(broken.id)).attributes).toMatchObject({
      status: 'interrupted',
      processed_count: 0,
      errors_log: { import: { base: ['failed for a reason that was logged'] } },
    })
  })

  it('is filtered and sorted like any resource', async () => {
    await run({ resource_type: 'skus', inputs: [sku(1)] })
    await begin({ resource_type: 'skus', inputs: [sku(2)] })
    const found = listOf(
      await core.get('/api/imports?filter[q][status_eq]=completed&sort=-created_at', core.tokens.admin),
    )
    expect(found.meta.record_count).toBe(1)
  })

  it('is done exactly once when a worker dies in the middle and several go on', async () => {
    await core.jobs.runUntilIdle() // jobs of imports that other tests removed
    const inputs = Array.from({ length: 2_500 }, (_, at) => sku(at))
    const { data } = singleOf(await begin({ resource_type: 'skus', inputs }))
    await dieInTransaction(core, 2)
    expect((await read(data.id)).attributes).toMatchObject({ status: 'in_progress', processed_count: 1_000 })
    await eventually(async () => {
      await Promise.all([core.jobs.runUntilIdle(), core.jobs.runUntilIdle(), core.jobs.runUntilIdle()])
      return (await read(data.id)).attributes['status'] === 'completed'
    })
    expect((await read(data.id)).attributes).toMatchObject({
      status: 'completed',
      processed_count: 2_500,
      errors_count: 0,
    })
    expect(await rowsOf(`SELECT count(*) AS count FROM skus WHERE code LIKE 'NEW-%'`)).toEqual([
      { count: 2_500 },
    ])
  })
})
