/**
 * Every type that can be imported: of a good and a faulty item the good one is stored and the fault is named, and what an export
 * writes of it, in either format, is imported again as it was.
 */
import { gunzipSync } from 'node:zlib'
import { encodeId, testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { IMPORTABLE } from '../../../src/bulk/imports/importable.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { listOf, openCore, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { reseedShop } from '../../support/seed-shop.ts'

type Item = Readonly<Record<string, unknown>>

interface Case {
  /** Its number; the type is that of the relationship which `parent_resource_id` sets. */
  readonly parent?: readonly [type: string, number: number]
  readonly good: Item
  readonly faulty: Item
  readonly errors: Item
}

const blank = ["can't be blank"]
const missing = ["doesn't exist"]
const id = encodeId

const CASES: Readonly<Record<string, Case>> = {
  addresses: {
    good: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      line_1: 'Via Roma 1',
      city: 'Torino',
      zip_code: '00123',
      country_code: 'IT',
      phone: '+39 1',
      lat: 45.07,
    },
    faulty: { first_name: 'Ada', last_name: 'L', line_1: 'x', country_code: 'IT', phone: '1' },
    errors: { city: blank },
  },
  bundles: {
    parent: ['markets', 1],
    good: { code: 'SET', name: 'Set', sku_list_id: id('sku_lists', 2), price_amount_cents: 9000 },
    faulty: { code: 'OTHER', name: 'Set', sku_list_id: id('sku_lists', 1), price_amount_cents: 100 },
    errors: { sku_list: ['must have items'] },
  },
  coupons: {
    parent: ['promotion_rules', 1],
    good: { code: 'SUMMER26', usage_limit: 1 },
    faulty: { code: 'SHORT' },
    errors: { code: ['is too short: 8 to 40 characters are allowed, it has 5'] },
  },
  customer_addresses: {
    parent: ['customers', 1],
    good: { address_id: id('addresses', 2) },
    faulty: {},
    errors: { address: blank },
  },
  customer_payment_sources: {
    parent: ['customers', 1],
    good: {
      payment_method_id: id('payment_methods', 1),
      customer_token: 'cus_1',
      payment_source_token: 'pm_1',
    },
    faulty: { payment_source_token: '4242424242424242' },
    errors: {
      payment_source_token: ['is the number of a card; send the token that the gateway gave for it'],
    },
  },
  customer_subscriptions: {
    good: { customer_email: 'ada@example.com' },
    faulty: {},
    errors: { customer_email: blank },
  },
  customers: {
    good: { email: 'new@example.com', customer_group_id: id('customer_groups', 1) },
    faulty: { email: 'nobody' },
    errors: { email: ['is invalid'] },
  },
  gift_cards: {
    parent: ['markets', 1],
    good: { code: 'GIFT-001', balance_cents: 2000, single_use: true },
    faulty: { code: 'SHORT', balance_cents: 2000 },
    errors: { code: ['is too short: 8 to 40 characters are allowed, it has 5'] },
  },
  line_item_options: {
    parent: ['line_items', 1],
    good: { sku_option_id: id('sku_options', 1), quantity: 2, options: { text: 'for you' } },
    faulty: { sku_option_id: id('sku_options', 1), quantity: 0, options: { text: 'x' } },
    errors: { quantity: ['must be greater than or equal to 1'] },
  },
  line_items: {
    parent: ['orders', 1],
    good: { sku_code: 'SKU-B', quantity: 2 },
    faulty: { sku_code: 'SKU-B' },
    errors: { quantity: blank },
  },
  orders: {
    parent: ['markets', 1],
    good: { number: 'N-1', customer_email: 'ada@example.com', language_code: 'it' },
    faulty: { number: 'N-2', language_code: 'Italian' },
    errors: { language_code: ['is invalid'] },
  },
  price_frequency_tiers: {
    parent: ['prices', 1],
    good: { name: 'week', up_to: 7, price_amount_cents: 4500 },
    faulty: { name: 'week', up_to: 7 },
    errors: { price_amount_cents: blank },
  },
  price_volume_tiers: {
    parent: ['prices', 1],
    good: { name: 'ten', up_to: 10, price_amount_cents: 4500 },
    faulty: { name: 'ten', up_to: 0, price_amount_cents: 4500 },
    errors: { up_to: ['must be greater than or equal to 1'] },
  },
  prices: {
    parent: ['price_lists', 1],
    good: { sku_code: 'SKU-E', amount_cents: 1200, compare_at_amount_cents: 1500 },
    faulty: { sku_code: 'SKU-F', amount_cents: -1 },
    errors: { amount_cents: ['must be greater than or equal to 0'] },
  },
  shipping_categories: {
    good: { name: 'Light', code: 'light' },
    faulty: { code: 'x' },
    errors: { name: blank },
  },
  sku_list_items: {
    parent: ['sku_lists', 1],
    good: { sku_code: 'SKU-A', quantity: 3, position: 2 },
    faulty: { sku_code: 'NONE' },
    errors: { sku_code: ['must be the code of an existing SKU'] },
  },
  sku_lists: {
    good: { name: 'Shirts', manual: false, sku_code_regex: '^SKU-[AB]$' },
    faulty: { name: 'Broken', manual: false, sku_code_regex: '(' },
    errors: {
      sku_code_regex: [
        'must be a regular expression of RE2 syntax (error parsing regexp: missing closing ): `(`)',
      ],
    },
  },
  sku_options: {
    parent: ['markets', 1],
    good: { name: 'Wrapping', price_amount_cents: 250, delay_hours: 24, sku_code_regex: '^SKU' },
    faulty: { price_amount_cents: 250 },
    errors: { name: blank },
  },
  skus: {
    parent: ['shipping_categories', 1],
    good: {
      code: 'NEW',
      name: 'New',
      weight: 0.25,
      unit_of_weight: 'gr',
      do_not_ship: true,
      metadata: { a: [1, '1'] },
    },
    faulty: { code: 'NEWER', name: 'Newer', weight: 'heavy' },
    errors: { weight: ['is not a number'] },
  },
  stock_items: {
    parent: ['stock_locations', 2],
    good: { sku_code: 'SKU-C', quantity: 5 },
    faulty: { sku_code: 'SKU-D', quantity: -1 },
    errors: { quantity: ['must be greater than or equal to 0'] },
  },
  stock_transfers: {
    good: {
      number: 'T-1',
      sku_code: 'SKU-B',
      quantity: 1,
      origin_stock_location_id: id('stock_locations', 2),
      destination_stock_location_id: id('stock_locations', 3),
    },
    faulty: {
      number: 'T-2',
      sku_code: 'SKU-B',
      quantity: 1,
      origin_stock_location_id: id('stock_locations', 2),
      'destination_stock_location.code': 'nowhere',
    },
    errors: { 'destination_stock_location.code': missing },
  },
  tags: { good: { name: 'summer' }, faulty: { name: 'no blanks allowed' }, errors: { name: ['is invalid'] } },
  tax_categories: {
    parent: ['tax_calculators', 1],
    good: { code: 'PC040100', sku_code: 'SKU-A' },
    faulty: { sku_code: 'SKU-B' },
    errors: { code: blank },
  },
}

/** What the items refer to, and the shop of seedShop has not. */
const MORE = `
  INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (1, 1, 'manual_tax_calculators', 'VAT');
  INSERT INTO promotions (id, environment_id, type, name, starts_at, expires_at)
    VALUES (1, 1, 'free_shipping_promotions', 'Free shipping', '2026-01-01', '2027-01-01');
  INSERT INTO promotion_rules (id, environment_id, type, promotion_id)
    VALUES (1, 1, 'coupon_codes_promotion_rules', 1);
  INSERT INTO sku_lists (id, environment_id, name, slug) VALUES (1, 1, 'Hats', 'hats'), (2, 1, 'Set', 'set');
  INSERT INTO sku_list_items (id, environment_id, sku_list_id, sku_id, sku_code, quantity) VALUES (1, 1, 2, 1, 'SKU-A', 2);
  INSERT INTO sku_options (id, environment_id, name, currency_code, price_amount_cents, sku_code_regex)
    VALUES (1, 1, 'Card', 'EUR', 250, '.*')`

/** The one that is looked for. */
const REFERENCE = 'imported'

const registry = createRegistry(areas, { ids: testIds })

let core: TestCore

beforeAll(async () => {
  core = await openCore('every_importable_type')
})
afterAll(() => core.close())

const run = async (type: 'imports' | 'exports', attributes: Item) => {
  const body = { data: { type, attributes } }
  const { id: job } = singleOf(await core.send('POST', `/api/${type}`, core.tokens.admin, body)).data
  await core.jobs.runUntilIdle()
  return singleOf(await core.get(`/api/${type}/${job}`, core.tokens.admin)).data
}

const find = async (type: string) => {
  const query = `filter%5Bq%5D%5Breference_eq%5D=${REFERENCE}`
  return listOf(await core.get(`/api/${registry.require(type).path}?${query}`, core.tokens.admin)).data
}

/** The only record with the reference, as an export in the format writes it. */
const exported = async (type: string, format: string): Promise<string> => {
  const filters = { reference_eq: REFERENCE }
  const job = await run('exports', { resource_type: type, format, filters, dry_data: true })
  expect(job.attributes).toMatchObject({ status: 'completed', records_count: 1 })
  const { rows } = await core.pool.query<{ content: Buffer }>(
    'SELECT content FROM export_parts WHERE export_id = $1 ORDER BY position',
    [testIds.decode('exports', job.id)],
  )
  return gunzipSync(Buffer.concat(rows.map(({ content }) => content))).toString()
}

/** The token of an order is never given again. */
const lasting = (text: string): unknown =>
  (JSON.parse(text) as Item[]).map((record) => ({ ...record, token: undefined }))

const importedBack = async (type: string, format: string, text: string): Promise<Item> => {
  const inputs: unknown = format === 'csv' ? text : JSON.parse(text)
  return (await run('imports', { resource_type: type, format, inputs })).attributes
}

test('every type that can be imported is here', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(IMPORTABLE.map(({ type }) => type).toSorted())
})

test.each(Object.entries(CASES))('%s', async (type, { parent, good, faulty, errors }) => {
  await reseedShop(core.pool)
  await core.pool.query(MORE)
  const parentId = parent === undefined ? {} : { parent_resource_id: encodeId(...parent) }
  const inputs = [
    { ...good, reference: REFERENCE, reference_origin: 'a file' },
    { ...faulty, reference: 'faulty' },
  ]
  const job = await run('imports', { resource_type: type, ...parentId, inputs, skip_errors: true })
  expect(job.attributes).toMatchObject({
    status: 'completed',
    processed_count: 1,
    errors_count: 1,
    warnings_log: {},
  })
  expect(Object.values(job.attributes['errors_log'] as Item)).toEqual([errors])
  const [record, ...more] = await find(type)
  expect(more).toEqual([])
  const attributes = Object.fromEntries(
    Object.entries(good).filter(([name]) => name in registry.require(type).attributes),
  )
  expect(record?.attributes).toMatchObject({ ...attributes, reference_origin: 'a file' })
  const before = await exported(type, 'json')
  for (const format of ['json', 'csv']) {
    const text = await exported(type, format)
    const [{ id: number = '' } = {}] = await find(type)
    const removed = await core.send('DELETE', `/api/${type}/${number}`, core.tokens.admin)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect(await importedBack(type, format, text)).toMatchObject({ status: 'completed', errors_log: {} })
    expect(lasting(await exported(type, 'json'))).toEqual(lasting(before))
  }
})
