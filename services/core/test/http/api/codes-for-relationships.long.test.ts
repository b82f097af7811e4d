/**
 * Every type where a code stands in for a relationship: the code alone names it, the relationship alone gives the code, both
 * must agree, and one of them is needed. Likewise the market stands in for a currency.
 */
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { IMPORTABLE } from '../../../src/bulk/imports/importable.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop, SKUS } from '../../support/seed-shop.ts'
import { at, attributesOf, linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'

let core: TestCore

beforeAll(async () => {
  core = await openCore('codes_for_relationships')
})
beforeEach(async () => {
  await reseedShop(core.pool)
  await core.pool.query(`
    INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (1, 1, 'manual_tax_calculators', 'VAT');
    INSERT INTO sku_lists (id, environment_id, name, slug) VALUES (1, 1, 'Hats', 'hats');
    INSERT INTO customers (id, environment_id, email, status) VALUES (90, 1, 'weekly@example.com', 'prospect');
    INSERT INTO subscription_models (id, environment_id, name, frequencies) VALUES (1, 1, 'Weekly', '["weekly"]');
    INSERT INTO order_subscriptions
        (id, environment_id, frequency, market_id, subscription_model_id, source_order_id, customer_id, customer_email)
      VALUES (1, 1, 'weekly', 1, 1, 1, 90, 'weekly@example.com')`)
})
afterAll(() => core.close())

interface Case {
  /** What else a new record needs. */
  readonly attributes: Body
  readonly relationships: Body
  /** The relationship that the code stands in for. */
  readonly relationship: 'sku' | 'item'
}

const quantity = { quantity: 1 }

const BY_SKU_CODE: Readonly<Record<string, Case>> = {
  in_stock_subscriptions: {
    attributes: { customer_email: 'waiting@example.com' },
    relationships: { market: one('markets', 1) },
    relationship: 'sku',
  },
  line_items: { attributes: quantity, relationships: { order: one('orders', 1) }, relationship: 'item' },
  order_subscription_items: {
    attributes: quantity,
    relationships: { order_subscription: one('order_subscriptions', 1) },
    relationship: 'item',
  },
  prices: {
    attributes: { amount_cents: 100 },
    relationships: { price_list: one('price_lists', 2) },
    relationship: 'sku',
  },
  sku_list_items: {
    attributes: quantity,
    relationships: { sku_list: one('sku_lists', 1) },
    relationship: 'sku',
  },
  stock_items: {
    attributes: quantity,
    relationships: { stock_location: one('stock_locations', 2) },
    relationship: 'sku',
  },
  stock_line_items: { attributes: quantity, relationships: {}, relationship: 'sku' },
  stock_transfers: {
    attributes: quantity,
    relationships: {
      origin_stock_location: one('stock_locations', 1),
      destination_stock_location: one('stock_locations', 2),
    },
    relationship: 'sku',
  },
  tax_categories: {
    attributes: { code: 'P1' },
    relationships: { tax_calculator: linkTo('manual_tax_calculators', encodeId('tax_calculators', 1)) },
    relationship: 'sku',
  },
}

const BY_MARKET: Readonly<Record<string, Case['attributes']>> = {
  gift_cards: { balance_cents: 100 },
  payment_methods: { payment_source_type: 'wire_transfers', price_amount_cents: 0 },
  shipping_methods: { name: 'Parcel', price_amount_cents: 700 },
  sku_options: { name: 'Engraving' },
}

const definitions = createRegistry(areas, { ids: testIds }).definitions.filter(({ operations }) =>
  operations.includes('create'),
)
const isWritten = (type: string, attribute: string): boolean =>
  definitions.some(
    (definition) =>
      definition.type === type && (definition.attributes[attribute]?.write ?? 'never') !== 'never',
  )
const typesWith = (attribute: string): readonly string[] =>
  definitions.map(({ type }) => type).filter((type) => isWritten(type, attribute))

test('the table has every type whose code can be sent', () => {
  expect(typesWith('sku_code').toSorted()).toEqual(Object.keys(BY_SKU_CODE).toSorted())
  // Of those with a market; a price list and an adjustment have their own currency.
  expect(
    typesWith('currency_code').filter(
      (type) => definitions.find((definition) => definition.type === type)?.relationships['market'],
    ),
  ).toEqual(expect.arrayContaining(Object.keys(BY_MARKET)))
  const imported = IMPORTABLE.flatMap(({ type, code }) => (code?.attribute === 'sku_code' ? [type] : []))
  expect(Object.keys(BY_SKU_CODE)).toEqual(expect.arrayContaining(imported))
})

const create = (type: string, attributes: Body, relationships: Body) =>
  core.send('POST', `/api/${type}`, core.tokens.admin, { data: { type, attributes, relationships } })

/** Have a price in EUR, none in USD, and no stock in location 2. */
const [CODE, OTHER] = ['SKU-D', 'SKU-A']
const [NUMBER, OTHER_NUMBER] = [SKUS.D, SKUS.A]
const SKU = one('skus', NUMBER)

describe.each(Object.entries(BY_SKU_CODE))('%s', (type, { attributes, relationships, relationship }) => {
  const post = (code: unknown, sku?: Body) =>
    create(
      type,
      code === undefined ? attributes : { ...attributes, sku_code: code },
      sku === undefined ? relationships : { ...relationships, [relationship]: sku },
    )

  /** The code that a record shows, and its SKU. */
  const skuOf = async (id: string) => {
    const document = singleOf(await core.get(`/api/${type}/${id}?include=${relationship}`, core.tokens.admin))
    return [document.data.attributes['sku_code'], document.included?.map((record) => record.id)]
  }

  it.each([
    ['the code alone', CODE, undefined],
    ['the relationship alone', undefined, SKU],
    ['both', CODE, SKU],
    ['the relationship and an empty code', null, SKU],
  ])('is created with %s', async (_case, code, sku) => {
    expect(await skuOf(singleOf(await post(code, sku)).data.id)).toEqual([CODE, [encodeId('skus', NUMBER)]])
  })

  it.each([
    ['an unknown code', 'NONE', undefined, '/data/attributes/sku_code', 'not_found'],
    ['the code of another SKU', OTHER, SKU, '/data/attributes/sku_code', 'invalid'],
    ['neither', undefined, undefined, `/data/relationships/${relationship}`, 'blank'],
  ])('is refused with %s', async (_case, code, sku, pointer, error) => {
    expect(at(await post(code, sku))).toEqual([['422', pointer, error]])
  })

  it('becomes one of another SKU by its code', async () => {
    const { id } = singleOf(await post(CODE)).data
    const response = await core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, {
      data: { type, id, attributes: { sku_code: OTHER } },
    })
    expect(singleOf(response).data.attributes['sku_code']).toBe(OTHER)
    expect(await skuOf(id)).toEqual([OTHER, [encodeId('skus', OTHER_NUMBER)]])
  })
})

describe.each(Object.entries(BY_MARKET))('the currency of %s', (type, attributes) => {
  it('is that of the market, unless it is sent', async () => {
    const market = { market: one('markets', 2) }
    const more =
      type === 'payment_methods'
        ? { payment_gateway: linkTo('manual_gateways', encodeId('payment_gateways', 1)) }
        : {}
    const currencyOf = async (sent: Body, links: Body) => {
      const response = await create(type, { ...attributes, ...sent }, { ...more, ...links })
      return response.status === 201 ? attributesOf(response)['currency_code'] : at(response)
    }
    expect(await currencyOf({}, market)).toBe('USD')
    expect(await currencyOf({ currency_code: 'EUR' }, {})).toBe('EUR')
    expect(await currencyOf({}, {})).toEqual([['422', '/data/attributes/currency_code', 'blank']])
  })
})
