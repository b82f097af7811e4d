/** Lists of SKUs, by hand and by pattern, of the shop and of customers (docs/adr/0089-lists-of-skus.md). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
let guest: string
let ada: string

beforeAll(async () => {
  core = await openCore('sku_lists')
  guest = await core.tokens.mint(salesChannel([1]))
  ada = await core.tokens.mint(customer(1, [1]))
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const create = (type: string, attributes: Body, relationships: Body = {}, token = core.tokens.admin) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const patch = (type: string, id: string, attributes: Body, token = core.tokens.admin) =>
  core.send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, attributes } })

const remove = (type: string, id: string, token = core.tokens.admin) =>
  core.send('DELETE', `/api/${type}/${id}`, token)

const newList = async (attributes: Body = {}, relationships: Body = {}, token = core.tokens.admin) =>
  singleOf(await create('sku_lists', { name: 'Best sellers', ...attributes }, relationships, token)).data.id

const addItem = (list: string, attributes: Body, token = core.tokens.admin) =>
  create('sku_list_items', attributes, { sku_list: linkTo('sku_lists', list) }, token)

/** A list of two SKUs. */
const filledList = async (): Promise<string> => {
  const list = await newList()
  for (const sku_code of ['SKU-B', 'SKU-A']) expect((await addItem(list, { sku_code })).status).toBe(201)
  return list
}

const codesOf = async (path: string, token = core.tokens.admin) =>
  listOf(await core.get(path, token)).data.map(({ attributes }) => attributes['code'])

describe('a list by hand', () => {
  it('has the SKUs of its items, and a slug from its name', async () => {
    const list = await filledList()
    expect(attributesOf(await core.get(`/api/sku_lists/${list}`, core.tokens.admin))).toMatchObject({
      name: 'Best sellers',
      slug: 'best-sellers',
      manual: true,
      sku_code_regex: null,
    })
    expect(await codesOf(`/api/sku_lists/${list}/skus`)).toEqual(['SKU-A', 'SKU-B'])
    const query =
      'fields[sku_lists]=name,description,sku_list_items,skus,manual,metadata&include=skus,sku_list_items'
    const { included = [] } = singleOf(await core.get(`/api/sku_lists/${list}?${query}`, guest))
    expect(included.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['skus', 'sku_list_items', 'sku_list_items']),
    )
    expect(attributesOf(await patch('sku_lists', list, { name: 'Été 2026!' }))['slug']).toBe('ete-2026')
  })

  it('has each SKU once, in a quantity', async () => {
    const list = await newList()
    const item = singleOf(await addItem(list, { sku_code: 'SKU-A', position: 3 })).data
    expect(item.attributes).toMatchObject({ sku_code: 'SKU-A', position: 3, quantity: 1 })
    expect((await addItem(list, { sku_code: 'SKU-A' })).status).toBe(409)
    expect(at(await addItem(list, { sku_code: 'NOPE', quantity: 0 }))).toEqual([
      ['422', '/data/attributes/quantity', 'greater_than_or_equal_to'],
      ['422', '/data/attributes/sku_code', 'not_found'],
    ])
    expect(at(await create('sku_list_items', { sku_code: 'SKU-A' }))).toEqual([
      ['422', '/data/relationships/sku_list', 'blank'],
    ])
    expect(attributesOf(await patch('sku_list_items', item.id, { quantity: 5 }))['quantity']).toBe(5)
  })

  it('goes with its items; items go with their SKU', async () => {
    const list = await filledList()
    expect((await addItem(list, { sku_code: 'SKU-F' })).status).toBe(201)
    expect((await remove('skus', encodeId('skus', 6))).status).toBe(204)
    expect(await codesOf(`/api/sku_lists/${list}/skus`)).toEqual(['SKU-A', 'SKU-B'])
    expect((await remove('sku_lists', list)).status).toBe(204)
    expect(listOf(await core.get('/api/sku_list_items', core.tokens.admin)).meta.record_count).toBe(0)
  })

  it('filters SKUs and customers, and is filtered by its customer and items', async () => {
    const list = await filledList()
    await newList({ name: 'Of Ada' }, { customer: one('customers', 1) })
    const byPattern = await newList({ name: 'Hats', manual: false, sku_code_regex: 'D$|F$' })
    for (const name of ['sku_lists', 'sku_list_items_sku_list'])
      expect(await codesOf(`/api/skus?filter[q][${name}_id_eq]=${list}`)).toEqual(['SKU-A', 'SKU-B'])
    expect(await codesOf(`/api/skus?filter[q][sku_lists_id_eq]=${byPattern}`)).toEqual(['SKU-D', 'SKU-F'])
    const names = async (filter: string) =>
      listOf(await core.get(`/api/sku_lists?sort=name&filter[q]${filter}`, core.tokens.admin)).data.map(
        ({ attributes }) => attributes['name'],
      )
    expect(await names('[customer_id_eq]=' + encodeId('customers', 1))).toEqual(['Of Ada'])
    expect(await names('[sku_list_items_quantity_eq]=1')).toEqual(['Best sellers'])
    expect(await names('[sku_list_items_sku_code_eq]=SKU-A')).toEqual(['Best sellers'])
    expect(await names('[manual_eq]=false')).toEqual(['Hats'])
    const { included = [] } = singleOf(
      await core.get(`/api/skus/${encodeId('skus', 4)}?include=sku_lists`, core.tokens.admin),
    )
    expect(included.map(({ id }) => id)).toEqual([byPattern])
  })
})

describe('a list by pattern', () => {
  it.each([
    ['A$', ['SKU-A']],
    ['/^sku-[ab]$/i', ['SKU-A', 'SKU-B']],
    ['/SKU-[A-C]/', ['SKU-A', 'SKU-B', 'SKU-C']],
    ['^X', []],
  ])('%s has the SKUs whose code it is found in', async (sku_code_regex, codes) => {
    const list = await newList({ manual: false, sku_code_regex })
    expect(await codesOf(`/api/sku_lists/${list}/skus?sort=code`)).toEqual(codes)
  })

  it('has SKUs that come later, and none of its items', async () => {
    const list = await filledList()
    const changed = await patch('sku_lists', list, { manual: false, sku_code_regex: '^NEW' })
    expect(changed.status).toBe(200)
    expect(await codesOf(`/api/sku_lists/${list}/skus`)).toEqual([])
    await create('skus', { code: 'NEW-1', name: 'New' }, { shipping_category: one('shipping_categories', 1) })
    expect(await codesOf(`/api/sku_lists/${list}/skus`)).toEqual(['NEW-1'])
    expect(at(await addItem(list, { sku_code: 'SKU-C' }))).toEqual([
      ['422', '/data/relationships/sku_list', 'invalid'],
    ])
  })

  it.each([
    ['without a pattern', { manual: false }, 'blank'],
    ['that is none', { manual: false, sku_code_regex: '(' }, 'invalid'],
    ['that could take for ever', { manual: false, sku_code_regex: '(a)\\1' }, 'invalid'],
    ['that looks ahead', { manual: false, sku_code_regex: '(?=A)' }, 'invalid'],
    ['that PostgreSQL reads differently', { manual: false, sku_code_regex: '\\bA' }, 'invalid'],
    ['that PostgreSQL does not read', { manual: false, sku_code_regex: 'A{500}' }, 'invalid'],
    ['that is too long', { manual: false, sku_code_regex: 'A'.repeat(5001) }, 'too_long'],
    ['that is none, although it is not used', { sku_code_regex: '(' }, 'invalid'],
  ])('is refused %s', async (_case, attributes, error) => {
    expect(at(await create('sku_lists', { name: 'List', ...attributes }))).toContainEqual([
      '422',
      '/data/attributes/sku_code_regex',
      error,
    ])
  })
})

describe('lists that have a SKU', () => {
  it.each([
    ['sku_code_eq', 'SKU-A', ['Best sellers']],
    ['sku_code_eq', 'SKU-D', ['Hats']],
    ['sku_code_eq', 'NEW-1', []],
    ['sku_code_in', 'SKU-D,SKU-B', ['Best sellers', 'Hats']],
    ['sku_code_start', 'SKU-', ['Best sellers', 'Hats']],
    ['sku_code_end', 'D', ['Hats']],
    ['sku_code_matches', 'SKU-_', ['Best sellers', 'Hats']],
    ['sku_code_matches', '%B', ['Best sellers']],
  ])('are found by %s=%s, by hand and by pattern', async (key, value, found) => {
    await filledList()
    const hidden = await filledList()
    await patch('sku_lists', hidden, { name: 'No more', manual: false, sku_code_regex: '^X' })
    await newList({ name: 'Hats', manual: false, sku_code_regex: 'D$|F$' })
    await newList({ name: 'Empty' })
    const query = `sort=name&filter%5Bq%5D%5B${key}%5D=${encodeURIComponent(value)}`
    const { data, meta } = listOf(await core.get(`/api/sku_lists?${query}`, core.tokens.admin))
    expect(data.map(({ attributes }) => attributes['name'])).toEqual(found)
    expect(meta.record_count).toBe(found.length)
  })

  it('are asked for with those five predicates alone, as the SKUs themselves are no filter', async () => {
    for (const key of ['sku_code_cont', 'skus_code_eq', 'skus_id_eq']) {
      const response = await core.get(`/api/sku_lists?filter%5Bq%5D%5B${key}%5D=x`, core.tokens.admin)
      expect([response.status, errorsOf(response)[0]?.code]).toEqual([400, 'FILTER_NOT_ALLOWED'])
      expect(errorsOf(response)[0]?.detail).toContain('sku_code_eq, sku_code_matches')
    }
  })
})

describe('a long list', () => {
  it.each<[string, Body, number]>([
    ['by hand', {}, 2_900],
    ['by pattern', { manual: false, sku_code_regex: '^LONG-[0-9]*[02468]$' }, 1_500],
  ])('%s has pages, filters and sorts like any other, and its count', async (_what, attributes, count) => {
    const list = await newList(attributes)
    const ids = `generate_series(20001, 23000) AS n`
    await core.pool.query(`INSERT INTO skus (id, environment_id, code, name, shipping_category_id)
      SELECT n, 1, 'LONG-' || n, 'x', 1 FROM ${ids}`)
    await core.pool.query(`INSERT INTO sku_list_items (environment_id, sku_list_id, sku_id, sku_code)
      SELECT 1, (SELECT max(id) FROM sku_lists), n, 'LONG-' || n FROM ${ids} WHERE n > 20100`)
    const read = async (query: string) =>
      listOf(await core.get(`/api/sku_lists/${list}/skus?${query}`, core.tokens.admin))
    const last = await read('sort=-code&page[size]=25&page[number]=2')
    expect(last.meta).toMatchObject({ record_count: count, page_count: Math.ceil(count / 25) })
    const isIn = (n: number) => (attributes['manual'] === false ? n % 2 === 0 : n > 20_100)
    const all = Array.from({ length: 3_000 }, (_, at) => 23_000 - at).filter(isIn)
    expect(last.data.map((sku) => sku.attributes['code'])).toEqual(all.slice(25, 50).map((n) => `LONG-${n}`))
    const found = await read('filter[q][code_in]=LONG-20050,LONG-20501,LONG-20502,SKU-A')
    const among = [20_050, 20_501, 20_502].filter(isIn)
    expect(found.data.map((sku) => sku.attributes['code'])).toEqual(among.map((n) => `LONG-${n}`))
  })
})

describe('shop fronts', () => {
  it('read the lists of the shop by id, a guest none of a customer, and write none', async () => {
    const [shops, adas] = [await filledList(), await newList({}, { customer: one('customers', 1) })]
    expect((await core.get(`/api/sku_lists/${shops}`, guest)).status).toBe(200)
    expect((await core.get(`/api/sku_lists/${adas}`, guest)).status).toBe(401)
    expect((await core.get('/api/sku_lists', guest)).status).toBe(401)
    expect((await create('sku_lists', { name: 'Mine' }, {}, guest)).status).toBe(401)
    expect((await patch('sku_lists', shops, { name: 'Mine' }, guest)).status).toBe(401)
    expect((await remove('sku_lists', shops, guest)).status).toBe(401)
    expect((await addItem(shops, { sku_code: 'SKU-C' }, guest)).status).toBe(401)
  })

  it('show SKUs that are sold in their market only', async () => {
    const list = await newList({ manual: false, sku_code_regex: '.' })
    const sold = await codesOf('/api/skus', guest)
    expect(sold).not.toContain('SKU-F')
    expect(await codesOf(`/api/sku_lists/${list}/skus`, guest)).toEqual(sold)
  })

  it('let a customer write their own lists, by hand', async () => {
    const list = await newList({ name: 'Wishes' }, {}, ada)
    const { data } = singleOf(await core.get(`/api/sku_lists/${list}?include=customer`, core.tokens.admin))
    expect(data.relationships?.['customer']?.data).toEqual({
      type: 'customers',
      id: encodeId('customers', 1),
    })
    const item = singleOf(await addItem(list, { sku_code: 'SKU-A' }, ada)).data.id
    expect((await patch('sku_list_items', item, { quantity: 2 }, ada)).status).toBe(200)
    expect((await patch('sku_lists', list, { description: 'For me' }, ada)).status).toBe(200)
    expect(at(await patch('sku_lists', list, { manual: false, sku_code_regex: '.' }, ada))).toEqual([
      ['422', '/data/attributes/manual', 'invalid'],
    ])
    expect((await remove('sku_list_items', item, ada)).status).toBe(204)
    expect((await remove('sku_lists', list, ada)).status).toBe(204)
  })

  it('let a customer change no list of the shop, and see none of others', async () => {
    const shops = await filledList()
    const others = await newList({}, { customer: one('customers', 2) })
    const [item] = listOf(await core.get(`/api/sku_lists/${shops}/sku_list_items`, core.tokens.admin)).data
    for (const refused of [
      await patch('sku_lists', shops, { name: 'Mine' }, ada),
      await remove('sku_lists', shops, ada),
      await addItem(shops, { sku_code: 'SKU-C' }, ada),
      await patch('sku_list_items', String(item?.id), { quantity: 9 }, ada),
      await remove('sku_list_items', String(item?.id), ada),
    ])
      expect([refused.status, errorsOf(refused)[0]?.code]).toEqual([401, 'UNAUTHORIZED'])
    expect((await core.get(`/api/sku_lists/${others}`, ada)).status).toBe(401)
    expect((await patch('sku_lists', others, { name: 'Mine' }, ada)).status).toBe(401)
    expect((await addItem(others, { sku_code: 'SKU-C' }, ada)).status).toBe(422)
    const customers = `/api/customers/${encodeId('customers', 1)}/sku_lists`
    expect(listOf(await core.get(customers, ada)).meta.record_count).toBe(0)
  })
})

describe('an import', () => {
  const run = async (attributes: Body) => {
    const body = { data: { type: 'imports', attributes } }
    const { id } = singleOf(await core.send('POST', '/api/imports', core.tokens.admin, body)).data
    await core.jobs.runUntilIdle()
    return attributesOf(await core.get(`/api/imports/${id}`, core.tokens.admin))
  }

  it('brings lists with their items, and changes the item of a SKU that is there', async () => {
    const inputs = [{ name: 'Imported', sku_list_items: [{ sku_code: 'SKU-A' }, { sku_code: 'SKU-B' }] }]
    expect(await run({ resource_type: 'sku_lists', inputs })).toMatchObject({
      status: 'completed',
      errors_log: {},
    })
    const [list] = listOf(await core.get('/api/sku_lists', core.tokens.admin)).data
    const parent_resource_id = list?.id
    const items = [
      { sku_code: 'SKU-A', quantity: 4 },
      { sku_code: 'SKU-C', quantity: 2 },
    ]
    expect(await run({ resource_type: 'sku_list_items', parent_resource_id, inputs: items })).toMatchObject({
      status: 'completed',
      errors_log: {},
    })
    const path = `/api/sku_lists/${parent_resource_id}/sku_list_items?sort=id`
    expect(
      listOf(await core.get(path, core.tokens.admin)).data.map(({ attributes }) => [
        attributes['sku_code'],
        attributes['quantity'],
      ]),
    ).toEqual([
      ['SKU-A', 4],
      ['SKU-B', 1],
      ['SKU-C', 2],
    ])
  })

  it('brings tiers of prices', async () => {
    const inputs = [
      { name: 'Few', up_to: 10, price_amount_cents: 4500 },
      { name: 'Many', price_amount_cents: 4000 },
    ]
    const parent_resource_id = encodeId('prices', 1)
    for (const resource_type of ['price_volume_tiers', 'price_frequency_tiers'])
      expect(await run({ resource_type, parent_resource_id, inputs })).toMatchObject({
        status: 'completed',
        errors_log: {},
      })
    const path = `/api/prices/${parent_resource_id}/price_tiers`
    expect(listOf(await core.get(path, core.tokens.admin)).meta.record_count).toBe(4)
  })
})
