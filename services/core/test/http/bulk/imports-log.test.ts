/** docs/adr/0021-change-log.md: what an import writes has its versions and events like anything else. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('imports_log')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

type Attributes = Readonly<Record<string, unknown>>

const run = async (resourceType: string, inputs: readonly Attributes[]): Promise<Attributes> => {
  const attributes = { resource_type: resourceType, inputs, skip_errors: true }
  const { data } = singleOf(
    await core.send('POST', '/api/imports', core.tokens.admin, { data: { type: 'imports', attributes } }),
  )
  await core.jobs.runUntilIdle()
  return singleOf(await core.get(`/api/imports/${data.id}`, core.tokens.admin)).data.attributes
}

const idOf = async (type: string, filter: string, value: string): Promise<string> => {
  const path = `/api/${type}?filter[q][${filter}]=${encodeURIComponent(value)}`
  const [found] = listOf(await core.get(path, core.tokens.admin)).data
  if (found === undefined) throw new Error(`no ${type} with ${filter}=${value}`)
  return found.id
}

const logOf = async (type: string, id: string, name: 'versions' | 'events') =>
  listOf(await core.get(`/api/${type}/${id}/${name}?sort=id&page[size]=25`, core.tokens.admin)).data.map(
    ({ attributes }) => attributes,
  )

const category = encodeId('shipping_categories', 1)

/** The log of a record without what differs from one record to the next. */
const changesOf = async (type: string, id: string) =>
  (await logOf(type, id, 'versions')).map(({ event, changes, who }) => ({ event, changes, who }))

test('a new record has the version that a single write would have given it', async () => {
  const relationships = { shipping_category: { data: { type: 'shipping_categories', id: category } } }
  const attributes = { name: 'New', weight: 1.5, metadata: { a: [1] } }
  const single = await core.send('POST', '/api/skus', core.tokens.admin, {
    data: { type: 'skus', attributes: { ...attributes, code: 'SAME' }, relationships },
  })
  const expected = await changesOf('skus', singleOf(single).data.id)
  await core.pool.query(`UPDATE skus SET code = 'OTHER' WHERE code = 'SAME'`)
  await run('skus', [{ ...attributes, code: 'SAME', shipping_category_id: category }])
  const actual = await changesOf('skus', await idOf('skus', 'code_eq', 'SAME'))
  expect(actual).toEqual(expected)
  expect(actual[0]).toMatchObject({
    event: 'create',
    changes: { code: [null, 'SAME'], weight: [null, 1.5], shipping_category_id: [null, category] },
    who: { application: { kind: 'integration' } },
  })
})

test('records of one import tell each what it has: other values, other targets, and none', async () => {
  const inputs = [
    { code: 'LOG-1', name: 'One', shipping_category_id: category, weight: 0.1, metadata: { 'é "': [null] } },
    { code: 'LOG-2', name: 'Two', shipping_category_id: category, weight: null, metadata: {} },
  ]
  await run('skus', inputs)
  const ids = [await idOf('skus', 'code_eq', 'LOG-1'), await idOf('skus', 'code_eq', 'LOG-2')]
  const [one, two] = await Promise.all(ids.map((id) => changesOf('skus', id)))
  const defaults = { do_not_ship: [null, false], do_not_track: [null, false] }
  const common = { ...defaults, shipping_category_id: [null, category] }
  expect(one?.map(({ changes }) => changes)).toEqual([
    {
      ...common,
      code: [null, 'LOG-1'],
      name: [null, 'One'],
      weight: [null, 0.1],
      metadata: [null, { 'é "': [null] }],
    },
  ])
  expect(two?.map(({ changes }) => changes)).toEqual([
    { ...common, code: [null, 'LOG-2'], name: [null, 'Two'], metadata: [null, {}] },
  ])
  const list = encodeId('price_lists', 1)
  await run(
    'prices',
    ['LOG-1', 'LOG-2'].map((code) => ({ sku_code: code, price_list_id: list, amount_cents: 5 })),
  )
  const { rows } = await core.pool.query<{ changes: unknown }>(
    `SELECT changes FROM versions WHERE resource_type = 'prices' AND changes->'sku_code'->>1 LIKE 'LOG-%' ORDER BY id`,
  )
  expect(rows.map(({ changes }) => changes)).toEqual(
    ids.map((id, at) => ({
      sku_code: [null, `LOG-${at + 1}`],
      sku_id: [null, id],
      price_list_id: [null, list],
      currency_code: [null, 'EUR'],
      amount_cents: [null, 5],
      original_amount_cents: [null, 5],
      metadata: [null, {}],
    })),
  )
})

test('what the database gives is in it, in both ways of writing', async () => {
  await run('customers', [{ email: 'imported@example.com' }])
  await core.send('POST', '/api/customers', core.tokens.admin, {
    data: { type: 'customers', attributes: { email: 'posted@example.com' } },
  })
  for (const email of ['imported@example.com', 'posted@example.com']) {
    const { rows } = await core.pool.query<{ changes: unknown }>(
      'SELECT changes FROM versions WHERE resource_id = $1',
      [await idOf('customers', 'email_eq', email)],
    )
    expect(rows).toEqual([
      { changes: expect.objectContaining({ status: [null, 'prospect'], email: [null, email] }) as unknown },
    ])
  }
})

test('an update has a version of what it changed, and none when it changed nothing', async () => {
  const code = 'TSHIRTMM000000FFFFFFLXXX'
  await run('skus', [{ code, name: 'First', shipping_category_id: category }])
  const id = await idOf('skus', 'code_eq', code)
  await run('skus', [{ code, name: 'Second' }])
  await run('skus', [{ code, name: 'Second' }])
  expect((await logOf('skus', id, 'versions')).map(({ event, changes }) => [event, changes])).toEqual([
    ['create', expect.objectContaining({ name: [null, 'First'] })],
    ['update', { name: ['First', 'Second'] }],
  ])
})

test('events come of it', async () => {
  await run('customers', [{ email: 'new@example.com' }])
  const id = await idOf('customers', 'email_eq', 'new@example.com')
  expect((await logOf('customers', id, 'events')).map(({ name }) => name)).toEqual(['customers.create'])
})

test('an item is in the log of errors whatever it is called', async () => {
  const { errors_log: log } = await run('skus', [{ code: '__proto__' }, { code: 'constructor' }])
  expect(Object.keys(log as object).sort()).toEqual(['__proto__', 'constructor'])
})

test('an item that was refused leaves nothing in the log', async () => {
  const before = (await core.pool.query(`SELECT FROM versions WHERE resource_type = 'stock_items'`)).rowCount
  const { errors_count: errors } = await run('stock_items', [{ sku_code: 'NOBODY', quantity: 1 }])
  expect(errors).toBe(1)
  const after = (await core.pool.query(`SELECT FROM versions WHERE resource_type = 'stock_items'`)).rowCount
  expect(after).toBe(before)
})
