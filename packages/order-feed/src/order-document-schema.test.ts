import { parseOrderDocument, parseOrderFeedPage } from './order-document-schema.ts'
import type { OrderDocument, OrderFeedPage } from './order-document.ts'

const at = '2026-03-01T10:00:00.000Z'
const named = { id: 'abcdefghij', name: 'Torino', reference: null, reference_origin: null }
const address = {
  business: false,
  city: 'Torino',
  country_code: 'IT',
  state_code: 'TO',
  zip_code: '10121',
  geocoded: false,
  localized: true,
}

const document: OrderDocument = {
  schema: 2,
  organization: { id: 'abcdefghij', slug: 'shop', name: 'Shop' },
  mode: 'test',
  id: 'abcdefghij',
  version: 3,
  number: '1001',
  reference: null,
  reference_origin: null,
  status: 'placed',
  payment_status: 'authorized',
  fulfillment_status: 'unfulfilled',
  currency_code: 'EUR',
  minor_unit_digits: 2,
  language_code: 'it',
  country_code: 'IT',
  coupon_code: null,
  gift_card_code: null,
  affiliate_code: null,
  customer_type: 'new',
  guest: false,
  tax_included: true,
  freight_taxable: true,
  link_id: null,
  user_id: null,
  store_id: null,
  amounts: {
    subtotal: 5000,
    subtotal_tax: 902,
    subtotal_taxable: 4098,
    shipping: 1200,
    shipping_taxable: 984,
    payment_method: 0,
    payment_method_tax: 0,
    payment_method_taxable: 0,
    adjustment: 0,
    adjustment_tax: 0,
    adjustment_taxable: 0,
    discount: -500,
    gift_card: 0,
    duty: 0,
    total: 5700,
    total_tax: 1028,
    total_taxable: 4672,
    total_with_taxes: 5700,
  },
  skus_count: 1,
  line_item_options_count: 1,
  shipments_count: 1,
  created_at: at,
  updated_at: at,
  placed_at: at,
  approved_at: null,
  cancelled_at: null,
  archived_at: null,
  payment_updated_at: null,
  fulfillment_updated_at: null,
  market: { id: 'abcdefghij', name: 'Italy', number: 1 },
  customer: {
    id: 'abcdefghij',
    email: 'ann@example.com',
    group_name: null,
    reference: null,
    reference_origin: null,
  },
  billing_address: { ...address, company: null, first_name: 'Ann', last_name: 'Lee' },
  shipping_address: address,
  payment_method: {
    id: 'abcdefghij',
    name: 'Card',
    source_type: 'stripe_payments',
    moto: false,
    issuer: 'visa',
    issuer_type: 'card',
    card_type: 'credit',
  },
  line_items: [
    {
      id: 'abcdefghij',
      item_id: 'abcdefghij',
      item_type: 'skus',
      code: 'SHIRT',
      name: 'Shirt',
      quantity: 1,
      unit_amount_cents: 5000,
      options_amount_cents: 0,
      total_amount_cents: 5000,
      tax_amount_cents: 902,
      discount_cents: -500,
      tax_rate: '0.22',
      updated_at: at,
      options: [
        { id: 'abcdefghij', name: 'Engraving', quantity: 1, unit_amount_cents: 0, total_amount_cents: 0 },
      ],
    },
  ],
  shipments: [
    {
      id: 'abcdefghij',
      number: '1001/S/001',
      status: 'upcoming',
      reference: null,
      reference_origin: null,
      cost_amount_cents: 0,
      items: ['SHIRT'],
      items_count: 1,
      created_at: at,
      updated_at: at,
      on_hold_at: null,
      picking_at: null,
      packing_at: null,
      ready_to_ship_at: null,
      shipped_at: null,
      delivered_at: null,
      cancelled_at: null,
      stock_location: named,
      shipping_method: { ...named, currency_code: 'EUR' },
      shipping_category: null,
      tags: [{ id: 'abcdefghij', name: 'fragile' }],
    },
  ],
  refunds: [{ id: 'abcdefghij', number: '1001/T/002', amount_cents: 100 }],
  returns: [
    {
      id: 'abcdefghij',
      number: '#1001/R/001',
      status: 'received',
      reference: null,
      reference_origin: null,
      skus_count: 1,
      created_at: at,
      updated_at: at,
      approved_at: at,
      cancelled_at: null,
      shipped_at: at,
      rejected_at: null,
      received_at: at,
      refunded_at: null,
      archived_at: null,
      stock_location: named,
      origin_address: address,
      destination_address: null,
      tags: [{ id: 'abcdefghij', name: 'damaged' }],
      line_items: [
        {
          id: 'abcdefghij',
          line_item_id: 'abcdefghij',
          quantity: 1,
          created_at: at,
          updated_at: at,
          restocked_at: null,
        },
      ],
    },
  ],
  tags: [{ id: 'abcdefghij', name: 'vip' }],
  resource_errors: [
    {
      id: 'abcdefghij',
      code: 'BLANK',
      name: 'customer_email',
      message: "can't be blank",
      created_at: at,
      updated_at: at,
    },
  ],
}

const page: OrderFeedPage = {
  entries: [
    { kind: 'upsert', document },
    { kind: 'delete', organization_id: 'abcdefghij', mode: 'live', id: 'abcdefghij', version: 7 },
  ],
  cursor: 'opaque',
  caught_up: true,
}

test('accepts a page of documents and deletions', () => {
  expect(parseOrderFeedPage(page)).toEqual({ ok: true, value: page })
})

test('accepts an order without any optional value', () => {
  const bare = {
    ...document,
    customer: null,
    billing_address: null,
    shipping_address: null,
    payment_method: null,
  }
  expect(
    parseOrderDocument({ ...bare, line_items: [], shipments: [], country_code: null, customer_type: null })
      .ok,
  ).toBe(true)
})

test.each([
  ['a later schema', { schema: 3 }, '/schema'],
  ['an unknown member', { surprise: 1 }, '/surprise'],
  ['a number beyond 2^53', { version: 2 ** 60 }, '/version'],
  ['a fraction of a cent', { amounts: { ...document.amounts, total: 0.5 } }, '/amounts/total'],
  ['an instant without milliseconds', { placed_at: '2026-03-01T10:00:00Z' }, '/placed_at'],
  ['a row number in place of an id', { id: '42' }, '/id'],
  [
    'a positive discount',
    { line_items: [{ ...document.line_items[0], discount_cents: 1 }] },
    '/line_items/0/discount_cents',
  ],
  [
    'a rate that is a number',
    { line_items: [{ ...document.line_items[0], tax_rate: 0.22 }] },
    '/line_items/0/tax_rate',
  ],
])('refuses %s', (_case, change, pointer) => {
  const result = parseOrderDocument({ ...document, ...change })
  expect(result.ok ? [] : result.violations.map((violation) => violation.pointer)).toContain(pointer)
})

test.each(Object.keys(document))('refuses a document without %s', (member) => {
  const rest = Object.fromEntries(Object.entries(document).filter(([name]) => name !== member))
  const result = parseOrderDocument(rest)
  expect(result.ok ? [] : result.violations.map((violation) => violation.pointer)).toEqual([`/${member}`])
})
