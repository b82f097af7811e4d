/** Adjustments: line items that add to an order or take from it, and what becomes of its discounts and taxes. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('adjustments')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft, add, change, changeOrder, remove, orderOf } = orderCalls(() => core)

const create = (type: string, attributes: Body, relationships: Body = {}) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })

const adjustment = async (cents: number, more: Body = {}): Promise<string> =>
  singleOf(
    await create('adjustments', { name: 'Goodwill', currency_code: 'EUR', amount_cents: cents, ...more }),
  ).data.id

const addAdjustment = (order: string, id: string, attributes: Body = {}, token = core.tokens.admin) =>
  add(token, order, { quantity: 1, ...attributes }, { item: linkTo('adjustments', id) })

/** A shirt of 50 euro, taxed with 22 %. */
const order = async (rule: Body = {}): Promise<string> => {
  const calculator = singleOf(await create('manual_tax_calculators', { name: 'VAT' })).data.id
  const its = { manual_tax_calculator: linkTo('manual_tax_calculators', calculator) }
  await create('tax_rules', { name: 'Italy', tax_rate: 0.22, ...rule }, its)
  const market = encodeId('markets', 1)
  await core.send('PATCH', `/api/markets/${market}`, core.tokens.admin, {
    data: {
      type: 'markets',
      id: market,
      relationships: { tax_calculator: linkTo('manual_tax_calculators', calculator) },
    },
  })
  const id = await draft()
  await add(core.tokens.admin, id, { sku_code: 'SKU-A', quantity: 1 })
  return id
}

const goodsOf = async (id: string) =>
  listOf(await core.get(`/api/orders/${id}/line_items?filter[q][item_type_eq]=skus`, core.tokens.admin))
    .data[0]?.attributes

describe('a line item of an adjustment', () => {
  it('takes over name and amount, and is part of the order', async () => {
    const id = await order()
    const its = await adjustment(300, { name: 'Handling' })
    const line = singleOf(await addAdjustment(id, its, { quantity: 2 })).data
    expect(line.attributes).toMatchObject({
      item_type: 'adjustments',
      name: 'Handling',
      unit_amount_cents: 300,
      total_amount_cents: 600,
      tax_amount_cents: 0,
    })
    expect(await orderOf(id)).toMatchObject({
      adjustment_amount_cents: 600,
      formatted_adjustment_amount: '€6,00',
      total_amount_cents: 5600,
      total_tax_amount_cents: 902,
    })
    const path = `/api/line_items/${line.id}?include=item,adjustment`
    const { included } = singleOf(await core.get(path, core.tokens.admin))
    expect(included).toMatchObject([{ type: 'adjustments', id: its }])
  })

  it('is taxed when it adds and the rule says so, never when it takes', async () => {
    const id = await order({ adjustment_taxable: true })
    await addAdjustment(id, await adjustment(122))
    await addAdjustment(id, await adjustment(-122, { distribute_discount: false }))
    expect(await orderOf(id)).toMatchObject({
      adjustment_amount_cents: 0,
      adjustment_tax_amount_cents: 22,
      total_tax_amount_cents: 924,
      total_amount_cents: 5000,
    })
  })

  it('that takes is allocated to the goods before tax, unless it is not to be', async () => {
    const id = await order()
    const line = singleOf(await addAdjustment(id, await adjustment(-500))).data.id
    const goods = await goodsOf(id)
    expect(goods).toMatchObject({ discount_cents: -500, tax_amount_cents: 811 })
    expect(Object.values(goods?.['discount_breakdown'] ?? {})).toMatchObject([
      { name: 'Goodwill', cents: -500, weight: 1 },
    ])
    expect(await orderOf(id)).toMatchObject({
      discount_amount_cents: 0,
      adjustment_amount_cents: -500,
      total_amount_cents: 4500,
      total_tax_amount_cents: 812,
    })
    await remove(core.tokens.admin, line)
    await addAdjustment(id, await adjustment(-500, { distribute_discount: false }))
    expect(await goodsOf(id)).toMatchObject({ discount_cents: 0, tax_amount_cents: 902 })
    expect(await orderOf(id)).toMatchObject({ total_amount_cents: 4500, total_tax_amount_cents: 902 })
  })

  it('never makes an order cost less than nothing', async () => {
    const id = await order()
    await addAdjustment(id, await adjustment(-9000))
    expect(await goodsOf(id)).toMatchObject({ discount_cents: -5000, tax_amount_cents: 0 })
    expect(await orderOf(id)).toMatchObject({
      adjustment_amount_cents: -9000,
      total_amount_cents: 0,
      total_tax_amount_cents: 0,
      total_taxable_amount_cents: 0,
      total_amount_with_taxes_cents: 0,
    })
  })

  it('keeps its amount when the adjustment changes, which stays while a line is of it', async () => {
    const id = await order()
    const its = await adjustment(300)
    const line = singleOf(await addAdjustment(id, its)).data.id
    await core.send('PATCH', `/api/adjustments/${its}`, core.tokens.admin, {
      data: { type: 'adjustments', id: its, attributes: { amount_cents: 900 } },
    })
    await changeOrder(id, { _refresh: true })
    expect((await orderOf(id))['adjustment_amount_cents']).toBe(300)
    expect(attributesOf(await change(core.tokens.admin, line, { quantity: 3, name: 'Three' }))).toMatchObject(
      {
        name: 'Three',
        total_amount_cents: 900,
      },
    )
    const gone = () => core.send('DELETE', `/api/adjustments/${its}`, core.tokens.admin)
    expect((await gone()).status).toBe(423)
    await remove(core.tokens.admin, line)
    expect((await gone()).status).toBe(204)
  })

  it('is in the currency of the order, with the amount of the adjustment', async () => {
    const id = await order()
    const inDollars = await addAdjustment(id, await adjustment(1, { currency_code: 'USD' }))
    expect(at(inDollars)).toEqual([['422', '/data/relationships/item', 'currency_mismatch']])
    expect(errorsOf(inDollars)[0]?.title).toBe('is in USD, and the order is in EUR')
    const its = await adjustment(1)
    const refused = [['422', '/data/attributes/unit_amount_cents', 'invalid']]
    expect(at(await addAdjustment(id, its, { unit_amount_cents: 5 }))).toEqual(refused)
    const line = singleOf(await addAdjustment(id, its)).data.id
    expect(at(await change(core.tokens.admin, line, { unit_amount_cents: 5 }))).toEqual(refused)
  })

  it('needs the adjustment', async () => {
    const id = await draft()
    const without = await add(core.tokens.admin, id, { item_type: 'adjustments', quantity: 1 })
    expect(at(without)).toEqual([['422', '/data/relationships/item', 'blank']])
    const unknown = await addAdjustment(id, encodeId('adjustments', 77))
    expect(at(unknown)).toEqual([['422', '/data/relationships/item', 'noent']])
  })

  it('is added, changed and deleted by integrations only', async () => {
    const guest = await core.tokens.mint(salesChannel([1]))
    const id = singleOf(await core.send('POST', '/api/orders', guest, { data: { type: 'orders' } })).data.id
    const its = await adjustment(300)
    expect((await addAdjustment(id, its, {}, guest)).status).toBe(422)
    const line = singleOf(await addAdjustment(id, its)).data.id
    expect(at(await change(guest, line, { quantity: 2 }))).toEqual([
      ['422', '/data/attributes/quantity', 'not_editable'],
    ])
    expect((await remove(guest, line)).status).toBe(401)
    expect((await orderOf(id))['adjustment_amount_cents']).toBe(300)
  })
})

describe('an adjustment', () => {
  it.each<[string, Body, string, string]>([
    ['no amount', { amount_cents: null }, 'amount_cents', 'blank'],
    ['half a cent', { amount_cents: 0.5 }, 'amount_cents', 'not_an_integer'],
    ['no currency', { currency_code: null }, 'currency_code', 'blank'],
    ['an unknown currency', { currency_code: 'XXX' }, 'currency_code', 'inclusion'],
  ])('refuses %s', async (_name, attributes, attribute, error) => {
    const response = await create('adjustments', {
      name: 'Goodwill',
      currency_code: 'EUR',
      amount_cents: 1,
      ...attributes,
    })
    expect(at(response)).toEqual([['422', `/data/attributes/${attribute}`, error]])
  })

  it('is closed to sales channels', async () => {
    const guest = await core.tokens.mint(salesChannel([1]))
    expect((await core.get('/api/adjustments', guest)).status).toBe(401)
  })
})

it('an order with an adjustment does not get another currency', async () => {
  const id = await draft()
  await addAdjustment(id, await adjustment(300))
  expect(at(await changeOrder(id, {}, { market: one('markets', 2) }))).toEqual([
    ['422', '/data/relationships/market', 'no_price'],
  ])
})
