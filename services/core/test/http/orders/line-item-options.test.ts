/** SKU options, and line items that have some: what they cost, who may write them, and what the order becomes. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { customer, errorsOf, listOf, openCore, salesChannel, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('line_item_options')
})
beforeEach(() => reseedShop(core.pool))
afterAll(() => core.close())

const { begin, draft, add, change, changeOrder, remove, orderOf, setOrder } = orderCalls(() => core)

const create = (type: string, attributes: Body, relationships: Body = {}, token = core.tokens.admin) =>
  core.send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

const skuOption = async (attributes: Body = {}, relationships: Body = {}): Promise<string> =>
  singleOf(
    await create(
      'sku_options',
      { name: 'Engraving', currency_code: 'EUR', price_amount_cents: 700, delay_hours: 60, ...attributes },
      relationships,
    ),
  ).data.id

const lineIn = async (order: string, code = 'SKU-A', token = core.tokens.admin): Promise<string> =>
  singleOf(await add(token, order, { sku_code: code, quantity: 1 })).data.id

const addOption = (line: string, option: string, attributes: Body = {}, token = core.tokens.admin) =>
  create(
    'line_item_options',
    { quantity: 1, options: { text: 'Ada' }, ...attributes },
    { line_item: linkTo('line_items', line), sku_option: linkTo('sku_options', option) },
    token,
  )

const patch = (id: string, attributes: Body, relationships: Body = {}, token = core.tokens.admin) =>
  core.send('PATCH', `/api/line_item_options/${id}`, token, {
    data: { type: 'line_item_options', id, attributes, relationships },
  })

const lineOf = async (line: string) =>
  attributesOf(await core.get(`/api/line_items/${line}`, core.tokens.admin))

describe('a SKU option', () => {
  it('takes the currency of its market, or needs one', async () => {
    const made = await create('sku_options', { name: 'Wrapping' }, { market: one('markets', 2) })
    expect(attributesOf(made)).toMatchObject({ currency_code: 'USD', price_amount_cents: 0, delay_days: 0 })
    expect(at(await create('sku_options', { name: 'Wrapping' }))).toEqual([
      ['422', '/data/attributes/currency_code', 'blank'],
    ])
  })

  it.each<[string, Body, string, string]>([
    ['a negative price', { price_amount_cents: -1 }, 'price_amount_cents', 'greater_than_or_equal_to'],
    ['a negative delay', { delay_hours: -1 }, 'delay_hours', 'greater_than_or_equal_to'],
    ['what is no pattern', { sku_code_regex: '(?=A)' }, 'sku_code_regex', 'invalid'],
    ['a pattern that is too long', { sku_code_regex: 'A'.repeat(5001) }, 'sku_code_regex', 'too_long'],
  ])('refuses %s', async (_name, attributes, attribute, error) => {
    expect(at(await create('sku_options', { name: 'Option', currency_code: 'EUR', ...attributes }))).toEqual([
      ['422', `/data/attributes/${attribute}`, error],
    ])
  })

  it('is one of the SKUs whose code its pattern is found in', async () => {
    const engraving = await skuOption({ sku_code_regex: '^SKU-[AB]$' })
    const wrapping = await skuOption()
    const optionsOf = async (number: number) =>
      listOf(await core.get(`/api/skus/${encodeId('skus', number)}/sku_options`, core.tokens.admin)).data.map(
        ({ id }) => id,
      )
    expect(await optionsOf(1)).toEqual([engraving, wrapping])
    expect(await optionsOf(4)).toEqual([wrapping])
    const included = singleOf(
      await core.get(`/api/skus/${encodeId('skus', 2)}?include=sku_options`, core.tokens.admin),
    ).included
    expect(included?.map(({ id }) => id)).toEqual([engraving, wrapping])
  })

  it('is seen by sales channels of its market, or of its currency when it has no market', async () => {
    const ofEurope = await skuOption({}, { market: one('markets', 1) })
    const inEuro = await skuOption()
    await skuOption({ currency_code: 'USD' })
    await skuOption({ currency_code: 'USD' }, { market: one('markets', 2) })
    const guest = await core.tokens.mint(salesChannel([1]))
    const seen = listOf(await core.get('/api/sku_options', guest)).data.map(({ id }) => id)
    expect(seen.toSorted()).toEqual([ofEurope, inEuro].toSorted())
    expect((await create('sku_options', { name: 'Free' }, {}, guest)).status).toBe(401)
  })

  it('stays once it was ordered', async () => {
    const option = await skuOption()
    await addOption(await lineIn(await draft()), option)
    const gone = await core.send('DELETE', `/api/sku_options/${option}`, core.tokens.admin)
    expect(gone.status).toBe(423)
  })
})

describe('an option of a line item', () => {
  it('brings name, price and delay of its SKU option, and is part of the line and the order', async () => {
    const order = await draft()
    const line = await lineIn(order)
    const made = await addOption(line, await skuOption(), { quantity: 2 })
    expect(attributesOf(made)).toMatchObject({
      name: 'Engraving',
      quantity: 2,
      currency_code: 'EUR',
      unit_amount_cents: 700,
      total_amount_cents: 1400,
      formatted_total_amount: '€14,00',
      delay_hours: 60,
      delay_days: 3,
      options: { text: 'Ada' },
    })
    expect(await lineOf(line)).toMatchObject({ options_amount_cents: 1400, total_amount_cents: 6400 })
    expect(await orderOf(order)).toMatchObject({
      line_item_options_count: 1,
      subtotal_amount_cents: 6400,
      total_amount_with_taxes_cents: 6400,
    })
    const path = `/api/orders/${order}?include=line_item_options,line_items.line_item_options.sku_option`
    const { included } = singleOf(await core.get(path, core.tokens.admin))
    expect(included?.map(({ type }) => type).toSorted()).toEqual([
      'line_item_options',
      'line_items',
      'sku_options',
    ])
  })

  it('is taxed with its line', async () => {
    const order = await draft()
    const line = await lineIn(order)
    await core.pool.query('UPDATE line_items SET tax_rate = 0.22 WHERE id = $1', [
      decodeId('line_items', line),
    ])
    await addOption(line, await skuOption())
    expect(await lineOf(line)).toMatchObject({ total_amount_cents: 5700, tax_amount_cents: 1028 })
    expect((await orderOf(order))['subtotal_tax_amount_cents']).toBe(1028)
  })

  it('may have a name and an amount of its own, from an integration', async () => {
    const line = await lineIn(await draft())
    const option = await skuOption()
    const made = await addOption(line, option, { name: 'For Ada', unit_amount_cents: 1 })
    expect(attributesOf(made)).toMatchObject({ name: 'For Ada', unit_amount_cents: 1 })
    const { id } = singleOf(made).data
    expect(attributesOf(await patch(id, { unit_amount_cents: null, name: null }))).toMatchObject({
      name: 'Engraving',
      unit_amount_cents: 700,
      total_amount_cents: 700,
    })
    const guest = await core.tokens.mint(salesChannel([1]))
    const other = await lineIn(await begin(guest), 'SKU-A', guest)
    expect((await addOption(other, option, { unit_amount_cents: 1 }, guest)).status).toBe(400)
    expect((await addOption(other, option, {}, guest)).status).toBe(201)
  })

  it('changes the order with its quantity, with another SKU option, and when it is deleted', async () => {
    const order = await draft()
    const line = await lineIn(order)
    const { id } = singleOf(await addOption(line, await skuOption())).data
    await addOption(line, await skuOption({ price_amount_cents: 50 }))
    await patch(id, { quantity: 3 })
    expect((await lineOf(line))['options_amount_cents']).toBe(2150)
    const changed = await patch(
      id,
      {},
      { sku_option: linkTo('sku_options', await skuOption({ name: 'Gold', price_amount_cents: 900 })) },
    )
    expect(attributesOf(changed)).toMatchObject({ name: 'Gold', total_amount_cents: 2700 })
    expect(await orderOf(order)).toMatchObject({ line_item_options_count: 2, total_amount_cents: 7750 })
    await core.send('DELETE', `/api/line_item_options/${id}`, core.tokens.admin)
    expect(await orderOf(order)).toMatchObject({ line_item_options_count: 1, total_amount_cents: 5050 })
    await remove(core.tokens.admin, line)
    expect(await orderOf(order)).toMatchObject({ line_item_options_count: 0, total_amount_cents: 0 })
  })

  it.each<[string, Body, Body, string]>([
    ['of other SKUs', { sku_code_regex: '^SKU-B$' }, {}, 'is not for SKU-A'],
    ['of another market', {}, { market: one('markets', 4) }, 'is of another market than the order'],
    ['in another currency', { currency_code: 'USD' }, {}, 'is in USD, and the order is in EUR'],
  ])('cannot be one %s', async (_name, attributes, relationships, title) => {
    const response = await addOption(await lineIn(await draft()), await skuOption(attributes, relationships))
    expect(at(response)).toEqual([['422', '/data/relationships/sku_option', 'invalid']])
    expect(errorsOf(response)[0]?.title).toBe(title)
  })

  it('cannot be added to a line of no SKU', async () => {
    const order = await draft()
    const line = await add(core.tokens.admin, order, { name: 'Repair', unit_amount_cents: 1, quantity: 1 })
    const response = await addOption(singleOf(line).data.id, await skuOption())
    expect(at(response)).toEqual([['422', '/data/relationships/sku_option', 'invalid']])
  })

  it('needs quantity, options, line and SKU option', async () => {
    const response = await create('line_item_options', {})
    expect(at(response).map(([, pointer, error]) => [pointer, error])).toEqual([
      ['/data/attributes/quantity', 'blank'],
      ['/data/attributes/options', 'blank'],
      ['/data/relationships/line_item', 'blank'],
      ['/data/relationships/sku_option', 'blank'],
    ])
  })

  it('is written while the order can be changed; what describes it always', async () => {
    const order = await draft()
    const line = await lineIn(order)
    const option = await skuOption()
    const { id } = singleOf(await addOption(line, option)).data
    await setOrder(order, "status = 'placed'")
    expect(at(await addOption(line, option))).toEqual([
      ['422', '/data/relationships/line_item', 'not_editable'],
    ])
    expect(at(await patch(id, { quantity: 2 }))).toEqual([
      ['422', '/data/attributes/quantity', 'not_editable'],
    ])
    expect((await patch(id, { options: { text: 'Grace' } })).status).toBe(200)
    const gone = await core.send('DELETE', `/api/line_item_options/${id}`, core.tokens.admin)
    expect(gone.status).toBe(423)
  })

  it('is written by customers to their own orders only', async () => {
    const ada = await core.tokens.mint(customer(1, [1]))
    const line = await lineIn(await begin(ada), 'SKU-A', ada)
    const option = await skuOption()
    const { id } = singleOf(await addOption(line, option, {}, ada)).data
    expect((await patch(id, { quantity: 2 }, {}, ada)).status).toBe(200)
    const other = await core.tokens.mint(customer(2, [1]))
    expect((await addOption(line, option, {}, other)).status).not.toBe(201)
    expect((await patch(id, { quantity: 9 }, {}, other)).status).not.toBe(200)
    expect((await lineOf(line))['options_amount_cents']).toBe(1400)
  })

  it('refuses what makes the order more than an amount can be', async () => {
    const line = await lineIn(await draft())
    const option = await skuOption({ price_amount_cents: Number.MAX_SAFE_INTEGER })
    expect(at(await addOption(line, option))).toEqual([
      ['422', '/data/attributes/quantity', 'amount_too_large'],
    ])
  })
})

describe('a line item with options', () => {
  it('is not added to by `_update_quantity`', async () => {
    const order = await draft()
    const line = await lineIn(order)
    await addOption(line, await skuOption())
    const more = { sku_code: 'SKU-A', quantity: 1, _update_quantity: true }
    const plain = singleOf(await add(core.tokens.admin, order, more)).data.id
    expect(plain).not.toBe(line)
    expect(singleOf(await add(core.tokens.admin, order, more)).data.id).toBe(plain)
  })

  it('becomes one of another SKU only when its options are for that one too', async () => {
    const line = await lineIn(await draft())
    await addOption(line, await skuOption({ sku_code_regex: '^SKU-[AD]$' }))
    expect(at(await change(core.tokens.admin, line, { sku_code: 'SKU-B' }))).toEqual([
      ['422', '/data/attributes/sku_code', 'invalid'],
    ])
    const changed = await change(core.tokens.admin, line, { sku_code: 'SKU-D' })
    expect(attributesOf(changed)).toMatchObject({ unit_amount_cents: 1500, total_amount_cents: 2200 })
  })

  it('goes to another currency when its options cost nothing', async () => {
    const order = await draft()
    const line = await lineIn(order, 'SKU-B')
    const { id } = singleOf(await addOption(line, await skuOption({ price_amount_cents: 0 }))).data
    expect((await changeOrder(order, {}, { market: one('markets', 2) })).status).toBe(200)
    const option = attributesOf(await core.get(`/api/line_item_options/${id}`, core.tokens.admin))
    expect(option['currency_code']).toBe('USD')
  })
})
