/** Prices by quantity: the tiers of a price, and what a line of an order costs with them. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('price_tiers')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft, add, change, changeOrder, orderOf } = orderCalls(() => core)

const tier = (attributes: Body, type = 'price_volume_tiers', price = 4) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, {
    data: {
      type,
      attributes: { name: 'Tier', ...attributes },
      relationships: { price: one('prices', price) },
    },
  })

/** SKU-D costs 15 euro: up to 5 of them 12 each, up to 10 of them 10 each. */
const withTiers = async (): Promise<void> => {
  await tier({ up_to: 10, price_amount_cents: 1000 })
  await tier({ up_to: 5, price_amount_cents: 1200 })
}

const lineOf = async (order: string, quantity: number, more: Body = {}) =>
  add(core.tokens.admin, order, { sku_code: 'SKU-D', quantity, ...more })

describe('the tiers of a price', () => {
  it('are in its currency, and listed with it and among all tiers', async () => {
    const made = singleOf(await tier({ up_to: 5, price_amount_cents: 1200 })).data
    expect(made.attributes).toMatchObject({ price_amount_cents: 1200, formatted_price_amount: '€12,00' })
    await tier({ up_to: 30, price_amount_cents: 1100 }, 'price_frequency_tiers')
    const all = listOf(await core.get('/api/price_tiers', core.tokens.admin)).data
    expect(all.map(({ type }) => type)).toEqual(['price_volume_tiers', 'price_frequency_tiers'])
    const path = `/api/prices/${encodeId('prices', 4)}?include=price_volume_tiers,price_tiers`
    const { included } = singleOf(await core.get(path, core.tokens.admin))
    expect(included?.map(({ type }) => type).toSorted()).toEqual([
      'price_frequency_tiers',
      'price_volume_tiers',
    ])
  })

  it('are ten at most, of both kinds together', async () => {
    for (let at = 1; at <= 5; at += 1) {
      expect((await tier({ up_to: at, price_amount_cents: 1 })).status).toBe(201)
      expect((await tier({ up_to: at, price_amount_cents: 1 }, 'price_frequency_tiers')).status).toBe(201)
    }
    const response = await tier({ price_amount_cents: 1 })
    expect(at(response)).toEqual([['422', '/data/relationships/price', 'too_many']])
    expect((await tier({ price_amount_cents: 1 }, 'price_volume_tiers', 1)).status).toBe(201)
  })

  it.each<[string, Body, string, string]>([
    ['a negative price', { price_amount_cents: -1 }, 'price_amount_cents', 'greater_than_or_equal_to'],
    ['no price', {}, 'price_amount_cents', 'blank'],
    ['a limit below one', { price_amount_cents: 1, up_to: 0 }, 'up_to', 'greater_than_or_equal_to'],
    ['half a unit', { price_amount_cents: 1, up_to: 1.5 }, 'up_to', 'not_an_integer'],
  ])('refuse %s', async (_name, attributes, attribute, error) => {
    expect(at(await tier(attributes))).toEqual([['422', `/data/attributes/${attribute}`, error]])
  })

  it('keep their price in its currency', async () => {
    await tier({ price_amount_cents: 1 })
    const id = encodeId('prices', 4)
    const response = await core.send('PATCH', `/api/prices/${id}`, core.tokens.admin, {
      data: {
        type: 'prices',
        id,
        attributes: { amount_cents: 1, compare_at_amount_cents: 2 },
        relationships: { price_list: one('price_lists', 2) },
      },
    })
    expect(at(response)).toEqual([['422', '/data/relationships/price_list', 'currency_mismatch']])
    expect(errorsOf(response)[0]?.title).toBe('is in USD, and the price has tiers in EUR; delete them first')
  })

  it('go with their price, and are seen where it is', async () => {
    await withTiers()
    const guest = await core.tokens.mint(salesChannel([2]))
    const included = (token: string, price: number) =>
      core.get(`/api/prices/${encodeId('prices', price)}?include=price_volume_tiers`, token)
    expect((await included(guest, 4)).status).toBe(401)
    await core.send('DELETE', `/api/prices/${encodeId('prices', 4)}`, core.tokens.admin)
    expect(listOf(await core.get('/api/price_tiers', core.tokens.admin)).meta.record_count).toBe(0)
  })
})

describe('a line of an order', () => {
  it.each([
    [1, 1200],
    [5, 1200],
    [6, 1000],
    [11, 1500],
  ])('of %d units costs %d each', async (quantity, cents) => {
    await withTiers()
    expect(attributesOf(await lineOf(await draft(), quantity))).toMatchObject({
      unit_amount_cents: cents,
      compare_at_amount_cents: 2000,
      total_amount_cents: cents * quantity,
    })
  })

  it('costs what its new quantity costs', async () => {
    await withTiers()
    const order = await draft()
    const { id } = singleOf(await lineOf(order, 2)).data
    expect(attributesOf(await change(core.tokens.admin, id, { quantity: 8 }))['unit_amount_cents']).toBe(1000)
    const more = await lineOf(order, 1, { _update_quantity: true })
    expect(attributesOf(more)).toMatchObject({ quantity: 9, total_amount_cents: 9000 })
    expect(attributesOf(await change(core.tokens.admin, id, { quantity: 1 }))['unit_amount_cents']).toBe(1200)
    expect((await orderOf(order))['total_amount_cents']).toBe(1200)
  })

  it('keeps the amount that an integration gave, until prices are read again', async () => {
    await withTiers()
    const order = await draft()
    const { id } = singleOf(await lineOf(order, 2, { unit_amount_cents: 1 })).data
    expect(attributesOf(await change(core.tokens.admin, id, { quantity: 8 }))['unit_amount_cents']).toBe(1)
    await changeOrder(order, { _refresh_prices: true })
    expect((await orderOf(order))['total_amount_cents']).toBe(8000)
    await change(core.tokens.admin, id, { quantity: 5 })
    expect((await orderOf(order))['total_amount_cents']).toBe(6000)
    await change(core.tokens.admin, id, { unit_amount_cents: 7 })
    await change(core.tokens.admin, id, { quantity: 6 })
    expect((await orderOf(order))['total_amount_cents']).toBe(42)
    await change(core.tokens.admin, id, { unit_amount_cents: null })
    expect((await orderOf(order))['total_amount_cents']).toBe(6000)
  })

  it('keeps its price when the list changed and has no tiers', async () => {
    const order = await draft()
    const { id } = singleOf(await lineOf(order, 2)).data
    await core.pool.query('UPDATE prices SET amount_cents = 9900 WHERE id = 4')
    expect(attributesOf(await change(core.tokens.admin, id, { quantity: 3 }))['unit_amount_cents']).toBe(1500)
  })
})
