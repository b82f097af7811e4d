/** Bundles: what they are made of, what they cost, who sees them, and what keeps them as they are (docs/adr/0120). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { bundleCalls, OUTFIT } from '../support/bundle-calls.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore
beforeAll(async () => {
  core = await openCore('bundles')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { create, listOfSkus, makeOf, bundleOf, patch, remove } = bundleCalls(() => core)

const bundle = async (id: string) => attributesOf(await core.get(`/api/bundles/${id}`, core.tokens.admin))
const NO_MARKET = { market: { data: null } }

describe('a bundle', () => {
  it('has the SKUs of its list, counted in units, in the currency of its market', async () => {
    const list = await listOfSkus(OUTFIT)
    const made = singleOf(await makeOf(list, { compare_at_amount_cents: 15_500 })).data
    expect(made.attributes).toMatchObject({
      code: 'OUTFIT',
      currency_code: 'EUR',
      price_amount_cents: 12_000,
      price_amount_float: 120,
      formatted_price_amount: '€120,00',
      compare_at_amount_cents: 15_500,
      do_not_ship: false,
      do_not_track: false,
      skus_count: 4,
    })
    const codes = listOf(await core.get(`/api/bundles/${made.id}/skus`, core.tokens.admin)).data
    expect(codes.map(({ attributes }) => attributes['code'])).toEqual(['SKU-A', 'SKU-B', 'SKU-D'])
    const ofList = await core.get(`/api/sku_lists/${list}?include=bundles`, core.tokens.admin)
    expect(singleOf(ofList).included?.map(({ id }) => id)).toEqual([made.id])
    const filters =
      'filter[q][do_not_ship_eq]=false&filter[q][price_amount_cents_gt]=11999&include=market,skus,tags'
    const found = listOf(await core.get(`/api/bundles?${filters}`, core.tokens.admin))
    expect(found.data.map(({ id }) => id)).toEqual([made.id])
  })

  it.each<[string, Body, number | null, number | null]>([
    ['the price', { _compute_price_amount: true }, 15_500, null],
    [
      'the price that it is compared with',
      { price_amount_cents: 100, _compute_compare_at_amount: true },
      100,
      15_500,
    ],
    ['both', { _compute_price_amount: true, _compute_compare_at_amount: true }, 15_500, 15_500],
    ['nothing', { price_amount_cents: 1, _compute_price_amount: false }, 1, null],
  ])('computes %s from the prices of its units', async (_name, attributes, price, compareAt) => {
    const list = await listOfSkus(OUTFIT)
    const made = await create(
      'bundles',
      { code: 'C', name: 'C', ...attributes },
      { market: one('markets', 1), sku_list: linkTo('sku_lists', list) },
    )
    expect(attributesOf(made)).toMatchObject({
      price_amount_cents: price,
      compare_at_amount_cents: compareAt,
    })
  })

  it('computes its price again when it is asked to', async () => {
    const id = await bundleOf()
    await core.pool.query('UPDATE prices SET amount_cents = 6000 WHERE environment_id = 1 AND id = 1')
    expect(attributesOf(await patch('bundles', id, { _compute_compare_at_amount: true }))).toMatchObject({
      price_amount_cents: 12_000,
      compare_at_amount_cents: 17_500,
    })
    expect(attributesOf(await patch('bundles', id, { _compute_price_amount: true }))).toMatchObject({
      price_amount_cents: 17_500,
    })
  })

  it('has one code in a market, and may have the same in others and in none', async () => {
    const list = await listOfSkus(OUTFIT)
    expect((await makeOf(list)).status).toBe(201)
    expect((await makeOf(list)).status).toBe(409)
    expect((await makeOf(list, {}, { market: one('markets', 4) })).status).toBe(201)
    expect((await makeOf(list, { currency_code: 'EUR' }, NO_MARKET)).status).toBe(201)
    expect((await makeOf(list, { currency_code: 'EUR' }, NO_MARKET)).status).toBe(409)
  })

  it('is tagged, gets files, and keeps its history', async () => {
    const id = await bundleOf()
    await create('tags', { name: 'summer' })
    singleOf(await patch('bundles', id, { _add_tags: 'summer' }))
    const attached = await create(
      'attachments',
      { name: 'Look', url: 'https://example.com/a.pdf' },
      {
        attachable: linkTo('bundles', id),
      },
    )
    expect(attached.status).toBe(201)
    const read = await core.get(
      `/api/bundles/${id}?include=tags,attachments,events,versions`,
      core.tokens.admin,
    )
    const types = new Set(singleOf(read).included?.map(({ type }) => type))
    expect(types).toEqual(new Set(['tags', 'attachments', 'events', 'versions']))
    expect((await remove('bundles', id)).status).toBe(204)
    expect(listOf(await core.get('/api/attachments', core.tokens.admin)).meta.record_count).toBe(0)
  })

  it('is not shipped or tracked only if none of its SKUs is, and follows them', async () => {
    const id = await bundleOf({ 'SKU-A': 1, 'SKU-D': 1 })
    expect(await bundle(id)).toMatchObject({ do_not_ship: false, do_not_track: false })
    await patch('skus', encodeId('skus', 1), { do_not_track: true, do_not_ship: true })
    expect(await bundle(id)).toMatchObject({ do_not_ship: false, do_not_track: true })
    await patch('skus', encodeId('skus', 4), { do_not_ship: true })
    expect(await bundle(id)).toMatchObject({ do_not_ship: true, do_not_track: true })
    await patch('skus', encodeId('skus', 4), { do_not_track: false })
    expect(await bundle(id)).toMatchObject({ do_not_ship: true, do_not_track: false })
  })

  it('follows two SKUs that change at once', async () => {
    const id = await bundleOf({ 'SKU-A': 1, 'SKU-B': 1 })
    const change = (number: number) => patch('skus', encodeId('skus', number), { do_not_ship: true })
    await Promise.all([change(1), change(2)])
    expect(await bundle(id)).toMatchObject({ do_not_ship: true })
  })
})

describe('refuses', () => {
  it.each<[string, Body, Body, readonly unknown[][]]>([
    ['no code', { code: '' }, {}, [['/data/attributes/code', 'blank']]],
    ['no price', { price_amount_cents: null }, {}, [['/data/attributes/price_amount_cents', 'blank']]],
    [
      'a price below zero',
      { price_amount_cents: -1 },
      {},
      [['/data/attributes/price_amount_cents', 'greater_than_or_equal_to']],
    ],
    [
      'a price that is compared and lower',
      { compare_at_amount_cents: 11_999 },
      {},
      [['/data/attributes/compare_at_amount_cents', 'greater_than_or_equal_to']],
    ],
    ['neither market nor currency', {}, NO_MARKET, [['/data/attributes/currency_code', 'blank']]],
    [
      'another currency than the market',
      { currency_code: 'USD' },
      {},
      [['/data/attributes/currency_code', 'currency_mismatch']],
    ],
    ['an unknown currency', { currency_code: 'XXY' }, {}, [['/data/attributes/currency_code', 'inclusion']]],
    [
      'a price that is sent and computed',
      { _compute_price_amount: true },
      {},
      [['/data/attributes/_compute_price_amount', 'invalid']],
    ],
    [
      'to compute without a market',
      { currency_code: 'EUR', _compute_compare_at_amount: true },
      NO_MARKET,
      [['/data/attributes/_compute_compare_at_amount', 'no_price']],
    ],
    ['no list', {}, { sku_list: { data: null } }, [['/data/relationships/sku_list', 'blank']]],
    [
      'an unknown list',
      {},
      { sku_list: linkTo('sku_lists', 'xxxxxxxxxx') },
      [['/data/relationships/sku_list', 'noent']],
    ],
    ['what only the server says', { skus_count: 3 }, {}, [[undefined, undefined]]],
  ])('%s', async (_name, attributes, relationships, expected) => {
    const response = await makeOf(await listOfSkus(OUTFIT), attributes, relationships)
    expect(response.status).toBeGreaterThanOrEqual(400)
    if (expected[0]?.[0] !== undefined) expect(at(response)).toEqual(expected.map((each) => ['422', ...each]))
  })

  it('to compute from a SKU without a price', async () => {
    const list = await listOfSkus({ 'SKU-A': 1, 'SKU-E': 1 })
    const response = await makeOf(list, { price_amount_cents: undefined, _compute_price_amount: true })
    expect(at(response)).toEqual([['422', '/data/attributes/_compute_price_amount', 'no_price']])
    expect(errorsOf(response)[0]?.title).toContain('SKU-E')
  })

  it.each<[string, () => Promise<string>, string]>([
    ['by pattern', () => listOfSkus({}, { manual: false, sku_code_regex: '^SKU' }), 'invalid'],
    ['without items', () => listOfSkus({}), 'blank'],
  ])('a list %s', async (_name, list, error) => {
    expect(at(await makeOf(await list()))).toEqual([['422', '/data/relationships/sku_list', error]])
  })

  it('a list of a customer', async () => {
    const list = singleOf(await create('sku_lists', { name: 'Mine' }, { customer: one('customers', 1) })).data
      .id
    await create('sku_list_items', { sku_code: 'SKU-A' }, { sku_list: linkTo('sku_lists', list) })
    expect(at(await makeOf(list))).toEqual([['422', '/data/relationships/sku_list', 'invalid']])
  })

  it('a list of more SKUs than the organization allows', async () => {
    const max = `UPDATE environments SET settings = settings || '{"bundles_max_items_count": 2}' WHERE id = 1`
    await core.pool.query(max)
    const response = await makeOf(await listOfSkus(OUTFIT))
    await core.pool.query(
      `UPDATE environments SET settings = settings - 'bundles_max_items_count' WHERE id = 1`,
    )
    expect(at(response)).toEqual([['422', '/data/relationships/sku_list', 'less_than_or_equal_to']])
    expect(errorsOf(response)[0]?.meta).toMatchObject({ value: 3, count: 2 })
  })

  it('a change of what it is made of and whom it is for', async () => {
    const id = await bundleOf()
    for (const relationships of [
      { market: one('markets', 2) },
      { sku_list: linkTo('sku_lists', await listOfSkus(OUTFIT)) },
    ])
      expect((await patch('bundles', id, {}, relationships)).status).toBe(400)
    expect(at(await patch('bundles', id, { currency_code: 'USD' }))).toEqual([
      ['422', '/data/attributes/currency_code', 'currency_mismatch'],
    ])
    expect(at(await patch('bundles', id, { compare_at_amount_cents: 1 }))).toEqual([
      ['422', '/data/attributes/compare_at_amount_cents', 'greater_than_or_equal_to'],
    ])
  })

  it('another currency without amounts in it', async () => {
    const id = await bundleOf(OUTFIT, { currency_code: 'EUR', compare_at_amount_cents: 13_000 }, NO_MARKET)
    expect(at(await patch('bundles', id, { currency_code: 'USD' }))).toEqual([
      ['422', '/data/attributes/price_amount_cents', 'currency_mismatch'],
      ['422', '/data/attributes/compare_at_amount_cents', 'currency_mismatch'],
    ])
    const amounts = { price_amount_cents: 1, compare_at_amount_cents: 2 }
    expect(attributesOf(await patch('bundles', id, { currency_code: 'USD', ...amounts }))).toMatchObject({
      currency_code: 'USD',
      ...amounts,
    })
  })
})

describe('while there are bundles of a list', () => {
  it('its SKUs and their quantities stay', async () => {
    const list = await listOfSkus(OUTFIT)
    singleOf(await makeOf(list))
    const items = listOf(await core.get(`/api/sku_lists/${list}/sku_list_items`, core.tokens.admin)).data
    const item = items[0]?.id ?? ''
    const more = await create(
      'sku_list_items',
      { sku_code: 'SKU-F' },
      { sku_list: linkTo('sku_lists', list) },
    )
    expect(at(more)).toEqual([['422', '/data/relationships/sku_list', 'has_bundles']])
    expect(at(await patch('sku_list_items', item, { quantity: 7 }))).toEqual([
      ['422', '/data/attributes/quantity', 'has_bundles'],
    ])
    expect(at(await patch('sku_list_items', item, { sku_code: 'SKU-F' }))).toEqual([
      ['422', '/data/attributes/sku_code', 'has_bundles'],
    ])
    expect((await patch('sku_list_items', item, { position: 9, quantity: 2 })).status).toBe(200)
    const removed = await remove('sku_list_items', item)
    expect([removed.status, errorsOf(removed)[0]?.detail]).toEqual([
      423,
      'Cannot be deleted while there are bundles of its list',
    ])
  })

  it('it stays a list by hand of the shop, and may get another name', async () => {
    const list = await listOfSkus(OUTFIT)
    singleOf(await makeOf(list))
    expect(at(await patch('sku_lists', list, { manual: false, sku_code_regex: 'A' }))).toEqual([
      ['422', '/data/attributes/manual', 'has_bundles'],
      ['422', '/data/attributes/sku_code_regex', 'has_bundles'],
    ])
    expect(at(await patch('sku_lists', list, {}, { customer: one('customers', 1) }))).toEqual([
      ['422', '/data/relationships/customer', 'has_bundles'],
    ])
    expect((await patch('sku_lists', list, { name: 'Summer' })).status).toBe(200)
  })

  it('its SKUs cannot be deleted, and it takes its bundles along', async () => {
    const list = await listOfSkus(OUTFIT)
    const id = singleOf(await makeOf(list)).data.id
    expect((await remove('skus', encodeId('skus', 2))).status).toBe(423)
    expect((await remove('sku_lists', list)).status).toBe(204)
    expect((await core.get(`/api/bundles/${id}`, core.tokens.admin)).status).toBe(404)
  })

  it('it can change again when they are deleted', async () => {
    const list = await listOfSkus(OUTFIT)
    await remove('bundles', singleOf(await makeOf(list)).data.id)
    const more = await create(
      'sku_list_items',
      { sku_code: 'SKU-F' },
      { sku_list: linkTo('sku_lists', list) },
    )
    expect(more.status).toBe(201)
  })

  it('of a bundle and an item that are made at once, both have the same SKUs', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      const list = await listOfSkus({ 'SKU-A': 1, 'SKU-B': 1 })
      const [made] = await Promise.all([
        makeOf(list, { code: `T-${turn}` }),
        create('sku_list_items', { sku_code: 'SKU-D' }, { sku_list: linkTo('sku_lists', list) }),
      ])
      const { id, attributes } = singleOf(made).data
      const skus = listOf(await core.get(`/api/bundles/${id}/skus`, core.tokens.admin)).data
      const items = listOf(await core.get(`/api/sku_lists/${list}/sku_list_items`, core.tokens.admin)).data
      expect([skus.length, attributes['skus_count']]).toEqual([items.length, items.length])
    }
  })
})

describe('sales channels', () => {
  it('see those of their market, and those of none in its currency, and change none', async () => {
    const list = await listOfSkus(OUTFIT)
    const ofEu = singleOf(await makeOf(list)).data.id
    const inEuro = singleOf(await makeOf(list, { currency_code: 'EUR' }, NO_MARKET)).data.id
    const dollars = { code: 'DOLLARS', currency_code: 'USD' }
    const inDollars = singleOf(await makeOf(list, dollars, NO_MARKET)).data.id
    const eu = await core.tokens.mint(salesChannel([1]))
    const us = await core.tokens.mint(salesChannel([2]))
    const seen = async (token: string) =>
      listOf(await core.get('/api/bundles', token)).data.map(({ id }) => id)
    expect(await seen(eu)).toEqual([ofEu, inEuro])
    expect(await seen(us)).toEqual([inDollars])
    expect((await core.get(`/api/bundles/${ofEu}`, us)).status).toBe(401)
    expect((await core.get(`/api/bundles/${ofEu}?include=sku_list,skus`, eu)).status).toBe(200)
    expect((await patch('bundles', ofEu, { name: 'x' }, {}, eu)).status).toBe(401)
    expect((await remove('bundles', ofEu, eu)).status).toBe(401)
  })
})
