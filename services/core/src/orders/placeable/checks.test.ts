import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { rowOf } from '../../engine/database/rows.ts'
import { violationsOf } from './checks.ts'
import type { OrderedSku, PlaceableFacts } from './facts.ts'

const now = new Date('2026-11-20T12:00:00Z')

const shirt = { item_type: 'skus', item_id: 1, quantity: 2, unit_amount_cents: 500 }
const sku: OrderedSku = {
  code: 'SHIRT',
  quantity: 2,
  isShipped: true,
  isTracked: true,
  isStocked: true,
  available: 2,
}

const order = (more: Row = {}) =>
  rowOf('Order', {
    status: 'pending',
    customer_id: 7,
    customer_email: null,
    requires_billing_info: false,
    shipping_country_code_lock: null,
    total_amount_with_taxes_cents: 1000,
    payment_source_type: 'wire_transfers',
    payment_source_id: 3,
    expires_at: null,
    tax_included: true,
    tax_rate: null,
    gift_card_amount_cents: 0,
    ...more,
  })

const address = (more: Row = {}) => rowOf('Address', { country_code: 'IT', billing_info: null, ...more })

const facts = (more: Partial<PlaceableFacts> = {}): PlaceableFacts => ({
  order: order(),
  now,
  lines: [shirt],
  ids: testIds,
  goodsCount: 1,
  skus: [sku],
  billingAddress: address(),
  shippingAddress: address(),
  shipments: [],
  paymentMethod: { name: 'Wire', sourceType: 'wire_transfers', isOffered: true },
  coupon: undefined,
  giftCard: undefined,
  taxes: undefined,
  ...more,
})

const found = (changed: Partial<PlaceableFacts>) =>
  violationsOf(facts(changed)).map(({ at, error }) => [at, error])

const attribute = (name: string) => ({ attribute: name })
const relationship = (name: string) => ({ relationship: name })

it('lets an order pass that has everything', () => {
  expect(found({})).toEqual([])
})

describe.each<[string, Partial<PlaceableFacts>, readonly unknown[]]>([
  ['goods', { goodsCount: 0 }, [relationship('line_items'), 'blank']],
  [
    'a stock item in the market',
    { skus: [{ ...sku, isStocked: false, available: 0 }] },
    [relationship('line_items'), 'not_stocked'],
  ],
  ['enough stock', { skus: [{ ...sku, available: 1 }] }, [relationship('line_items'), 'out_of_stock']],
  ['a customer', { order: order({ customer_id: null }) }, [attribute('customer_email'), 'blank']],
  ['a billing address', { billingAddress: undefined }, [relationship('billing_address'), 'blank']],
  [
    'billing information that it requires',
    { order: order({ requires_billing_info: true }) },
    [relationship('billing_address'), 'billing_info_blank'],
  ],
  ['a shipping address', { shippingAddress: undefined }, [relationship('shipping_address'), 'blank']],
  [
    'a shipping address in the country it is locked to',
    { order: order({ shipping_country_code_lock: 'FR' }) },
    [relationship('shipping_address'), 'country_locked'],
  ],
  [
    'a method for each shipment',
    { shipments: [{ number: '#1/S/001', hasMethod: false, isMethodAvailable: false }] },
    [relationship('shipments'), 'blank'],
  ],
  [
    'shipping methods that are still available',
    { shipments: [{ number: '#1/S/001', hasMethod: true, isMethodAvailable: false }] },
    [relationship('shipments'), 'unavailable'],
  ],
  ['a payment method', { paymentMethod: undefined }, [relationship('payment_method'), 'blank']],
  [
    'a payment method that is offered',
    { paymentMethod: { name: 'Wire', sourceType: 'wire_transfers', isOffered: false } },
    [relationship('payment_method'), 'unavailable'],
  ],
  [
    'a payment source',
    { order: order({ payment_source_id: null, payment_source_type: null }) },
    [relationship('payment_source'), 'blank'],
  ],
  [
    'a payment source of the type of its method',
    { order: order({ payment_source_type: 'stripe_payments' }) },
    [relationship('payment_source'), 'invalid'],
  ],
  [
    'a payment source whose vendor is called',
    {
      order: order({ payment_source_type: 'stripe_payments' }),
      paymentMethod: { name: 'Card', sourceType: 'stripe_payments', isOffered: true },
    },
    [relationship('payment_source'), 'not_supported'],
  ],
  [
    'taxes that somebody calculates',
    { taxes: { at: { relationship: 'market' }, error: 'not_supported', message: 'needs taxjar_accounts' } },
    [relationship('market'), 'not_supported'],
  ],
  ['time left', { order: order({ expires_at: now }) }, [attribute('expires_at'), 'expired']],
  [
    'a total that is up to date',
    { lines: [{ ...shirt, quantity: 3 }] },
    [attribute('total_amount_with_taxes_cents'), 'mismatched_amounts'],
  ],
])('an order without %s', (_case, changed, violation) => {
  it('is refused for that alone', () => {
    expect(found(changed)).toEqual([violation])
  })
})

it('reports everything that is missing at once, in order', () => {
  const empty = { skus: [], lines: [], goodsCount: 0, billingAddress: undefined, paymentMethod: undefined }
  const changed = { ...empty, order: order({ customer_id: null, expires_at: now }) }
  const violations = violationsOf(facts(changed))
  expect(violations.map(({ at, error }) => `${Object.values(at ?? {}).join('')} ${error}`)).toEqual([
    'line_items blank',
    'customer_email blank',
    'billing_address blank',
    'payment_method blank',
    'expires_at expired',
    'total_amount_with_taxes_cents mismatched_amounts',
  ])
})

describe('an order', () => {
  it('with nothing to ship needs no shipping address', () => {
    expect(found({ skus: [{ ...sku, isShipped: false }], shippingAddress: undefined })).toEqual([])
  })

  it('of a SKU that is not tracked needs no stock', () => {
    expect(found({ skus: [{ ...sku, isTracked: false, available: 0 }] })).toEqual([])
  })

  it('that costs nothing needs no payment', () => {
    const free = order({ total_amount_with_taxes_cents: 0, payment_source_id: null })
    const lines = [{ ...shirt, unit_amount_cents: 0 }]
    expect(found({ order: free, lines, paymentMethod: undefined })).toEqual([])
  })

  it('with a deadline is placed before it', () => {
    expect(found({ order: order({ expires_at: new Date(now.getTime() + 1) }) })).toEqual([])
  })
})
