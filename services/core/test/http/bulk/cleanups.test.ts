/** core-conventions.md 12.3: many records deleted by a worker, with what belongs to them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { ResourceObject, TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { permission, tokenWith } from '../support/restricted-role.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('cleanups')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const begin = (attributes: Body, token = core.tokens.admin) =>
  core.send('POST', '/api/cleanups', token, { data: { type: 'cleanups', attributes } })

const read = async (id: string): Promise<ResourceObject> =>
  singleOf(await core.get(`/api/cleanups/${id}`, core.tokens.admin)).data

const run = async (attributes: Body, token = core.tokens.admin): Promise<Body> => {
  const { id } = singleOf(await begin(attributes, token)).data
  await core.jobs.runUntilIdle()
  return (await read(id)).attributes
}

const countOf = async (path: string): Promise<number> =>
  listOf(await core.get(path, core.tokens.admin)).meta.record_count

/** SKUs that nothing was ordered of, each with a price and a stock item. */
const addSkus = (count: number) =>
  core.pool.query(
    `WITH added AS (
      INSERT INTO skus (environment_id, code, name, shipping_category_id)
      SELECT 1, 'OLD-' || at, 'Old', 1 FROM generate_series(1, $1) AS at RETURNING id, code),
    priced AS (
      INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents)
      SELECT 1, id, code, 1, 'EUR', 100 FROM added)
    INSERT INTO stock_items (environment_id, sku_id, sku_code, stock_location_id, quantity)
    SELECT 1, id, code, 1, 5 FROM added`,
    [count],
  )

describe('a cleanup', () => {
  it('is counted at once, and deletes with a worker what its filters find', async () => {
    await addSkus(250)
    const [skus, prices, stock] = [
      await countOf('/api/skus'),
      await countOf('/api/prices'),
      await countOf('/api/stock_items'),
    ]
    const filters = { code_start: 'OLD-' }
    const { data } = singleOf(await begin({ resource_type: 'skus', filters }))
    expect(data.attributes).toMatchObject({
      resource_type: 'skus',
      filters,
      status: 'pending',
      records_count: 250,
      processed_count: 0,
      errors_count: 0,
      started_at: null,
    })
    await core.jobs.runUntilIdle()
    expect((await read(data.id)).attributes).toMatchObject({
      status: 'completed',
      processed_count: 250,
      errors_count: 0,
      errors_log: {},
      interrupted_at: null,
    })
    expect([
      await countOf('/api/skus'),
      await countOf('/api/prices'),
      await countOf('/api/stock_items'),
    ]).toEqual([skus - 250, prices - 250, stock - 250])
  })

  it('says what it could not delete, and deletes the rest', async () => {
    await addSkus(20)
    const [sku] = listOf(
      await core.get('/api/line_items?filter[q][item_type_eq]=skus', core.tokens.admin),
    ).data
    const code = String(sku?.attributes['sku_code'])
    const job = await run({ resource_type: 'skus', filters: { code_matches_any: `OLD-%,${code}` } })
    expect(job).toMatchObject({
      status: 'completed',
      records_count: 21,
      processed_count: 20,
      errors_count: 1,
    })
    expect(Object.keys(job['errors_log'] as Body)).toEqual([code])
    expect(await countOf(`/api/skus?filter[q][code_eq]=${code}`)).toBe(1)
  })

  it('is interrupted when more than a tenth is not deleted', async () => {
    const job = await run({ resource_type: 'skus' })
    expect(job).toMatchObject({ status: 'interrupted', records_count: 6, errors_count: 1 })
    expect(job['interrupted_at']).not.toBeNull()
  })

  it('is interrupted by hand before it begins', async () => {
    await addSkus(2)
    const { id } = singleOf(await begin({ resource_type: 'skus', filters: { code_start: 'OLD-' } })).data
    const response = await core.send('PATCH', `/api/cleanups/${id}`, core.tokens.admin, {
      data: { type: 'cleanups', id, attributes: { _interrupt: true } },
    })
    expect(singleOf(response).data.attributes).toMatchObject({ status: 'interrupted' })
    await core.jobs.runUntilIdle()
    expect((await read(id)).attributes).toMatchObject({ status: 'interrupted', processed_count: 0 })
    expect(await countOf('/api/skus?filter[q][code_start]=OLD-')).toBe(2)
  })

  it('leaves alone what was made after it was asked for', async () => {
    await addSkus(1)
    const { id } = singleOf(await begin({ resource_type: 'skus', filters: { name_eq: 'Old' } })).data
    await core.pool.query(
      `INSERT INTO skus (environment_id, code, name, shipping_category_id) VALUES (1, 'LATE', 'Old', 1)`,
    )
    await core.jobs.runUntilIdle()
    expect((await read(id)).attributes).toMatchObject({ status: 'completed', processed_count: 1 })
    expect(await countOf('/api/skus?filter[q][code_eq]=LATE')).toBe(1)
  })

  it('that finds nothing is completed', async () => {
    expect(await run({ resource_type: 'gift_cards', filters: { code_eq: 'nothing' } })).toMatchObject({
      status: 'completed',
      records_count: 0,
    })
  })

  it('takes promotions of every kind, with their rules', async () => {
    const dates = { starts_at: '2020-01-01T00:00:00Z', expires_at: '2099-01-01T00:00:00Z' }
    const made = await core.send('POST', '/api/free_shipping_promotions', core.tokens.admin, {
      data: { type: 'free_shipping_promotions', attributes: { name: 'Over', ...dates } },
    })
    const { id } = singleOf(made).data
    const filters = { name_eq: 'Over' }
    expect(await run({ resource_type: 'promotions', filters })).toMatchObject({ processed_count: 1 })
    const { rows } = await core.pool.query('SELECT name FROM events WHERE name LIKE $1', [
      'free_shipping_promotions.destroy',
    ])
    expect(rows).toHaveLength(1)
    expect((await core.get(`/api/free_shipping_promotions/${id}`, core.tokens.admin)).status).toBe(404)
  })
})

describe('a cleanup is refused', () => {
  it.each<[string, Body, string, string]>([
    ['without a type', {}, 'resource_type', 'blank'],
    ['of a type that is not cleaned up', { resource_type: 'orders' }, 'resource_type', 'inclusion'],
    ['of a type there is none of', { resource_type: 'shoes' }, 'resource_type', 'inclusion'],
    [
      'with a filter there is none of',
      { resource_type: 'skus', filters: { colour_eq: 'red' } },
      'filters',
      'invalid',
    ],
    ['with filters that are a text', { resource_type: 'skus', filters: 'all' }, 'filters', 'invalid'],
  ])('%s', async (_case, attributes, name, error) => {
    expect(at(await begin(attributes))).toEqual([['422', `/data/attributes/${name}`, error]])
  })

  it('of more records than 10,000', async () => {
    await core.pool.query(
      `INSERT INTO skus (environment_id, code, name, shipping_category_id)
       SELECT 1, 'MANY-' || at, 'Many', 1 FROM generate_series(1, 10001) AS at`,
    )
    const response = await begin({ resource_type: 'skus', filters: { name_eq: 'Many' } })
    expect(at(response)).toEqual([['422', '/data/attributes/records_count', 'less_than_or_equal_to']])
    expect(errorsOf(response)[0]?.title).toContain('10000')
  })

  it('while ten others wait', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await begin({ resource_type: 'gift_cards' })).status).toBe(201)
    expect(errorsOf(await begin({ resource_type: 'gift_cards' }))[0]?.meta?.['error']).toBe(
      'less_than_or_equal_to',
    )
  })

  it('for those who may not delete the records', async () => {
    const mayRead = [permission('skus', undefined, ['read']), permission('cleanups')]
    const token = await tokenWith(core, ...mayRead)
    expect((await begin({ resource_type: 'skus' }, token)).status).toBe(401)
    const guest = await core.tokens.mint(salesChannel([1]))
    expect((await begin({ resource_type: 'skus' }, guest)).status).toBe(401)
  })
})

test('a restricted role deletes no more than its permission covers', async () => {
  await addSkus(2)
  const only = { rows: { all: { code_eq: 'OLD-1' } } }
  const token = await tokenWith(core, permission('skus', only), permission('cleanups'))
  expect(await run({ resource_type: 'skus' }, token)).toMatchObject({
    status: 'completed',
    records_count: 1,
    processed_count: 1,
  })
  expect(await countOf('/api/skus?filter[q][code_start]=OLD-')).toBe(1)
  expect((await core.get(`/api/skus/${encodeId('skus', 1)}`, core.tokens.admin)).status).toBe(200)
})
