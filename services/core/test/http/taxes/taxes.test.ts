/** Tax calculators and their rules, and how they tax an order (lifecycles.md 1.7, 14; docs/adr/0084). */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('taxes')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { draft, add, change, changeOrder, orderOf } = orderCalls(() => core)

const create = (type: string, attributes: Body, relationships: Body = {}) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })

const idOf = async (response: ReturnType<typeof create>) => singleOf(await response).data.id

/** A calculator of market 1 with these rules, in their order. */
const calculatorWith = async (...rules: readonly Body[]): Promise<string> => {
  const calculator = await idOf(create('manual_tax_calculators', { name: 'VAT' }))
  for (const [index, rule] of rules.entries())
    await idOf(
      create(
        'tax_rules',
        { name: `Rule ${index}`, ...rule },
        { manual_tax_calculator: linkTo('manual_tax_calculators', calculator) },
      ),
    )
  await setCalculator(linkTo('manual_tax_calculators', calculator))
  return calculator
}

const setCalculator = async (calculator: unknown) => {
  const id = encodeId('markets', 1)
  const response = await core.send('PATCH', `/api/markets/${id}`, core.tokens.admin, {
    data: { type: 'markets', id, relationships: { tax_calculator: calculator } },
  })
  expect(response.status).toBe(200)
}

const ITALY = { country_code_regex: '^IT$', tax_rate: 0.22 }
const AMERICA = { country_code_regex: '^US$', tax_rate: 0.1 }

/** A shirt of 50 euro, sent to Italy. */
const order = async (attributes: Body = {}): Promise<string> => {
  const id = await draft(attributes)
  await add(core.tokens.admin, id, { sku_code: 'SKU-A', quantity: 1 })
  await changeOrder(id, {}, { shipping_address: one('addresses', 1) })
  return id
}

const lineOf = async (id: string, type = 'skus') =>
  listOf(
    await core.get(`/api/orders/${id}/line_items?filter[q][item_type_eq]=${type}`, core.tokens.admin),
  ).data.map(({ attributes }) => attributes)[0]

describe('a manual tax calculator', () => {
  it('is listed among all calculators and shown at its market by its own type', async () => {
    const id = await calculatorWith(ITALY)
    const all = listOf(await core.get('/api/tax_calculators', core.tokens.admin)).data
    expect(all.map(({ type, attributes }) => [type, attributes['name']])).toEqual([
      ['manual_tax_calculators', 'VAT'],
    ])
    const market = singleOf(
      await core.get(`/api/markets/${encodeId('markets', 1)}?include=tax_calculator`, core.tokens.admin),
    )
    expect(market.data.relationships?.['tax_calculator']?.data).toEqual({
      type: 'manual_tax_calculators',
      id,
    })
    const own = singleOf(
      await core.get(`/api/manual_tax_calculators/${id}?include=tax_rules,markets`, core.tokens.admin),
    )
    expect(own.included?.map(({ type }) => type).toSorted()).toEqual(['markets', 'tax_rules'])
  })

  it('stays while a market uses it, and takes its rules along', async () => {
    const id = await calculatorWith(ITALY)
    const remove = () => core.send('DELETE', `/api/manual_tax_calculators/${id}`, core.tokens.admin)
    expect((await remove()).status).toBe(423)
    await setCalculator({ data: null })
    expect((await remove()).status).toBe(204)
    expect(listOf(await core.get('/api/tax_rules', core.tokens.admin)).meta.record_count).toBe(0)
  })

  it('has attachments as what all calculators are', async () => {
    const id = await calculatorWith(ITALY)
    const attachment = await idOf(
      create('attachments', { name: 'Law' }, { attachable: linkTo('tax_calculators', id) }),
    )
    const path = `/api/manual_tax_calculators/${id}/attachments`
    expect(listOf(await core.get(path, core.tokens.admin)).data.map((each) => each.id)).toEqual([attachment])
  })
})

describe('a tax rule', () => {
  it.each<[string, Body, string, string]>([
    ['a negative rate', { tax_rate: -0.1 }, 'tax_rate', 'greater_than_or_equal_to'],
    ['a rate that is no part of the price', { tax_rate: 22 }, 'tax_rate', 'less_than_or_equal_to'],
    ['what is no pattern', { zip_code_regex: '(' }, 'zip_code_regex', 'invalid'],
    ['no name', { name: null }, 'name', 'blank'],
  ])('refuses %s', async (_name, attributes, attribute, error) => {
    const calculator = await calculatorWith()
    const response = await create(
      'tax_rules',
      { name: 'Rule', ...attributes },
      { manual_tax_calculator: linkTo('manual_tax_calculators', calculator) },
    )
    expect(at(response)).toEqual([['422', `/data/attributes/${attribute}`, error]])
  })

  it('needs a calculator', async () => {
    expect(at(await create('tax_rules', { name: 'Rule' }))).toEqual([
      ['422', '/data/relationships/manual_tax_calculator', 'blank'],
    ])
  })
})

describe('an order of a market with a calculator', () => {
  it('shows the tax inside its prices, on the order and its lines', async () => {
    await calculatorWith(AMERICA, ITALY)
    const id = await order()
    expect(await orderOf(id)).toMatchObject({
      tax_included: true,
      tax_rate: 0.22,
      subtotal_tax_amount_cents: 902,
      subtotal_taxable_amount_cents: 4098,
      total_tax_amount_cents: 902,
      total_taxable_amount_cents: 4098,
      total_amount_with_taxes_cents: 5000,
      formatted_total_tax_amount: '€9,02',
    })
    expect(await lineOf(id)).toMatchObject({ tax_rate: 0.22, tax_amount_cents: 902 })
  })

  it('adds the tax where prices are without', async () => {
    await calculatorWith(ITALY)
    await core.pool.query('UPDATE price_lists SET tax_included = false WHERE id = 1')
    expect(await orderOf(await order())).toMatchObject({
      tax_included: false,
      total_amount_cents: 5000,
      total_tax_amount_cents: 1100,
      total_taxable_amount_cents: 5000,
      total_amount_with_taxes_cents: 6100,
    })
  })

  it('is taxed by the first rule that matches its shipping address, or else its billing address', async () => {
    await calculatorWith(AMERICA, ITALY, { tax_rate: 0.05 })
    const id = await draft()
    await add(core.tokens.admin, id, { sku_code: 'SKU-A', quantity: 1 })
    const rateOf = async () => (await orderOf(id))['tax_rate']
    expect(await rateOf()).toBe(0.05)
    await changeOrder(id, {}, { billing_address: one('addresses', 2) })
    expect(await rateOf()).toBe(0.1)
    await changeOrder(id, {}, { shipping_address: one('addresses', 1) })
    expect(await rateOf()).toBe(0.22)
    expect(await lineOf(id)).toMatchObject({ tax_rate: 0.22, tax_amount_cents: 902 })
  })

  it('is not taxed where no rule matches', async () => {
    await calculatorWith(AMERICA)
    expect(await orderOf(await order())).toMatchObject({ tax_rate: 0, total_tax_amount_cents: 0 })
  })

  it('taxes shipping, payment method and adjustments as the rule says, whatever was sent', async () => {
    const calculator = await calculatorWith({ ...ITALY, freight_taxable: true })
    await core.pool.query('UPDATE payment_methods SET price_amount_cents = 244 WHERE id = 4')
    await core.pool
      .query(`INSERT INTO shipping_methods (environment_id, name, currency_code, price_amount_cents, market_id)
      VALUES (1, 'Post', 'EUR', 1220, 1)`)
    await core.pool.query(
      'UPDATE markets SET default_shipping_method_id = (SELECT id FROM shipping_methods) WHERE id = 1',
    )
    const id = await order({ payment_method_taxable: true })
    await changeOrder(id, {}, { payment_method: one('payment_methods', 4) })
    expect(await orderOf(id)).toMatchObject({
      freight_taxable: true,
      payment_method_taxable: false,
      shipping_tax_amount_cents: 220,
      payment_method_tax_amount_cents: 0,
      total_tax_amount_cents: 1122,
    })
    const [rule] = listOf(
      await core.get(`/api/manual_tax_calculators/${calculator}/tax_rules`, core.tokens.admin),
    ).data
    const attributes = { freight_taxable: false, payment_method_taxable: true, tax_rate: 0.1 }
    await core.send('PATCH', `/api/tax_rules/${rule?.id}`, core.tokens.admin, {
      data: { type: 'tax_rules', id: rule?.id, attributes },
    })
    expect((await changeOrder(id, { _update_taxes: true })).status).toBe(200)
    expect(await orderOf(id)).toMatchObject({
      tax_rate: 0.1,
      shipping_tax_amount_cents: 0,
      payment_method_tax_amount_cents: 22,
      total_tax_amount_cents: 477,
    })
    expect(await lineOf(id, 'shipments')).toMatchObject({ tax_rate: 0, tax_amount_cents: 0 })
  })

  it('counts the calculations', async () => {
    await calculatorWith(ITALY)
    const id = await order()
    const before = Number((await orderOf(id))['tax_calculations_count'])
    await changeOrder(id, { _refresh: true })
    expect((await orderOf(id))['tax_calculations_count']).toBe(before + 1)
  })

  it('is not taxed any more without the calculator', async () => {
    await calculatorWith({ ...ITALY, freight_taxable: true })
    const id = await order()
    await setCalculator({ data: null })
    await changeOrder(id, { _refresh: true })
    expect(await orderOf(id)).toMatchObject({
      tax_rate: 0,
      freight_taxable: false,
      total_tax_amount_cents: 0,
      total_taxable_amount_cents: 5000,
    })
  })

  it('keeps its taxes while it does not refresh itself', async () => {
    await calculatorWith(ITALY, AMERICA)
    const id = await order()
    await changeOrder(id, { autorefresh: false })
    await changeOrder(id, {}, { shipping_address: one('addresses', 2) })
    expect(await orderOf(id)).toMatchObject({ tax_rate: 0.22, total_tax_amount_cents: 902 })
    await changeOrder(id, { _update_taxes: true })
    expect(await orderOf(id)).toMatchObject({ tax_rate: 0.1, total_tax_amount_cents: 455 })
  })

  it.each([
    ['JPY', 2970, 0.1, 270],
    ['HUF', 12_345, 0.27, 2625],
    ['KWD', 10_500, 0.05, 500],
    ['EUR', 999, 0.22, 180],
  ])('rounds to the smallest unit of %s', async (currency, cents, rate, tax) => {
    await calculatorWith({ tax_rate: rate })
    const id = await draft()
    await core.pool.query('UPDATE orders SET currency_code = $1 WHERE id >= 5000', [currency])
    const line = singleOf(
      await add(core.tokens.admin, id, { name: 'Thing', unit_amount_cents: cents, quantity: 1 }),
    )
    expect(line.data.attributes['tax_amount_cents']).toBe(tax)
    expect((await orderOf(id))['total_tax_amount_cents']).toBe(tax)
  })

  it('taxes a line by what is left of it after its quantity changes', async () => {
    await calculatorWith(ITALY)
    const id = await order()
    const [line] = listOf(
      await core.get(`/api/orders/${id}/line_items?filter[q][item_type_eq]=skus`, core.tokens.admin),
    ).data
    const changed = attributesOf(await change(core.tokens.admin, line?.id ?? '', { quantity: 2 }))
    expect(changed).toMatchObject({ total_amount_cents: 10_000, tax_amount_cents: 1803 })
  })
})

describe('_update_taxes', () => {
  it('names everything that it needs', async () => {
    const id = await draft()
    const response = await changeOrder(id, { _update_taxes: true })
    expect(at(response)).toEqual([['422', '/data/attributes/_update_taxes', 'not_taxable']])
    expect(errorsOf(response)[0]?.title).toBe(
      'needs a tax calculator of its market, a shipping or billing address, a positive total, a line item of a SKU or a bundle',
    )
  })
})

describe('a tax category', () => {
  const category = (calculator: string, attributes: Body, relationships: Body = {}) =>
    create('tax_categories', attributes, {
      tax_calculator: linkTo('manual_tax_calculators', calculator),
      ...relationships,
    })

  it('gives a SKU a code of a calculator, once', async () => {
    const calculator = await calculatorWith()
    const { data } = singleOf(await category(calculator, { code: 'P0000000', sku_code: 'SKU-A' }))
    expect(data.attributes).toMatchObject({ code: 'P0000000', sku_code: 'SKU-A' })
    const again = await category(calculator, { code: 'P1' }, { sku: one('skus', 1) })
    expect(errorsOf(again)[0]?.status).toBe('409')
    const path = `/api/tax_categories/${data.id}?include=sku,tax_calculator`
    const { included } = singleOf(await core.get(path, core.tokens.admin))
    expect(included?.map(({ type }) => type).toSorted()).toEqual(['manual_tax_calculators', 'skus'])
  })

  it('needs SKU and calculator', async () => {
    expect(at(await create('tax_categories', { code: 'P0' }))).toEqual([
      ['422', '/data/relationships/tax_calculator', 'blank'],
      ['422', '/data/relationships/sku', 'blank'],
    ])
  })
})
