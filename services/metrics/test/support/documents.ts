/** Order documents made from a seed: few distinct values, so that groups, ties and filters hit; nulls everywhere they may be. */
import type {
  OrderDocument,
  OrderLineItem,
  OrderReturn,
  OrderShipment,
} from '@merx/order-feed/order-document'
import { createRandom, type Random } from './random.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

export const letters = (random: Random, length = 10): string =>
  Array.from({ length }, () => LETTERS[random.int(0, LETTERS.length - 1)]).join('')

export const ORGANIZATIONS = [
  { id: 'orgAAAAAAA', slug: 'acme', name: 'Acme' },
  { id: 'orgBBBBBBB', slug: 'bravo', name: 'Bravo' },
] as const

export const MARKETS = [
  { id: 'marketEURO', name: 'Europe', number: 11, currency: 'EUR', digits: 2 },
  { id: 'marketAMER', name: 'USA', number: 22, currency: 'USD', digits: 2 },
  { id: 'marketJAPA', name: 'Japan', number: 33, currency: 'JPY', digits: 0 },
] as const

const COUNTRIES = ['IT', 'US', 'JP', 'DE'] as const
const CITIES = ['Rome', 'New York', 'Tokyo', "L'Aquila", 'São Paulo', 'İstanbul', 'ΟΔΟΣ', 'Ⓐville'] as const
const CODES = ['TSHIRT01', 'TSHIRT02', 'HAT01', 'BUNDLE1'] as const
const TAGS = ['vip', 'gift', 'rush'] as const
const DAY_MS = 86_400_000
const START = Date.UTC(2021, 0, 1)

const iso = (ms: number): string => new Date(ms).toISOString()
const orNull = <T>(random: Random, value: T, nullChance = 0.3): T | null =>
  random.chance(nullChance) ? null : value
const later = (random: Random, ms: number, maxMs: number): number => ms + random.int(0, maxMs)
const idOf = (kind: string, index: number): string =>
  `${kind}${String(index)
    .padStart(10 - kind.length, '0')
    .replaceAll(/\d/g, (digit) => LETTERS[Number(digit)] ?? '')}`

const named = (random: Random, kind: string, count: number) => {
  const index = random.int(0, count - 1)
  return {
    id: idOf(kind, index),
    name: orNull(random, `${kind} ${index}`, 0.1),
    reference: orNull(random, `ref-${index}`),
    reference_origin: orNull(random, index % 2 === 0 ? 'erp' : 'wms'),
  }
}

const tagsOf = (random: Random) =>
  random.chance(0.5) ? [] : random.some(TAGS, 3).map((name) => ({ id: `tag${name.padEnd(7, 'x')}`, name }))

const lineItem = (random: Random, at: number): OrderLineItem => {
  // Without a type: written by hand.
  const type = random.pick([
    'skus',
    'skus',
    'skus',
    'bundles',
    'shipments',
    'percentage_discount_promotions',
    '',
  ])
  const code = type === 'shipments' ? null : random.pick(CODES)
  const quantity = random.int(1, 3)
  const unit = random.int(0, 5000)
  const options = random.chance(0.7) ? [] : Array.from({ length: random.int(1, 2) }, () => random.int(0, 2))
  return {
    id: letters(random),
    item_id: code === null || type === '' ? null : `item${code.padEnd(8, 'x')}`.replaceAll(/\d/g, 'z'),
    item_type: type,
    code,
    name: orNull(random, code === null ? 'Express' : `Name of ${code}`, 0.1),
    quantity,
    unit_amount_cents: unit,
    options_amount_cents: options.length * 100,
    total_amount_cents: unit * quantity,
    tax_amount_cents: Math.round(unit * quantity * 0.22),
    discount_cents: random.chance(0.5) ? 0 : -random.int(1, 1500),
    tax_rate: random.pick(['0', '0.22', '0.1', '0.0725']),
    updated_at: iso(later(random, at, 30 * DAY_MS)),
    options: options.map((index) => ({
      id: idOf('opt', index),
      name: orNull(random, ['Engraving', 'Gift wrap', 'Hemming'][index] ?? 'x', 0.1),
      quantity: random.int(1, 2),
      unit_amount_cents: 100,
      total_amount_cents: random.int(1, 4) * 100,
    })),
  }
}

const shipment = (random: Random, createdMs: number): OrderShipment => {
  const steps = ['on_hold', 'picking', 'packing', 'ready_to_ship', 'shipped', 'delivered'] as const
  let at = createdMs
  const dates = steps.map((step) => {
    at = later(random, at, 2 * DAY_MS)
    return [`${step}_at`, orNull(random, iso(at))] as const
  })
  const dateOf = (name: string): string | null => dates.find(([key]) => key === name)?.[1] ?? null
  const items = random.chance(0.2) ? [] : random.some(CODES, 3)
  const method = random.chance(0.2) ? null : named(random, 'method', 2)
  return {
    id: letters(random),
    number: `#${random.int(1000, 9999)}/S/001`,
    status: random.pick(['picking', 'packing', 'ready_to_ship', 'shipped', 'on_hold', 'cancelled']),
    reference: orNull(random, random.pick(['A1', 'B2'])),
    reference_origin: orNull(random, 'wms'),
    cost_amount_cents: random.int(0, 900),
    items,
    items_count: items.length,
    created_at: iso(createdMs),
    updated_at: iso(at),
    on_hold_at: dateOf('on_hold_at'),
    picking_at: dateOf('picking_at'),
    packing_at: dateOf('packing_at'),
    ready_to_ship_at: dateOf('ready_to_ship_at'),
    shipped_at: dateOf('shipped_at'),
    delivered_at: dateOf('delivered_at'),
    cancelled_at: null,
    stock_location: random.chance(0.2) ? null : named(random, 'stock', 3),
    shipping_method: method === null ? null : { ...method, currency_code: orNull(random, 'EUR') },
    shipping_category: random.chance(0.3) ? null : named(random, 'categ', 2),
    tags: tagsOf(random),
  }
}

const RETURN_STATUSES = [
  'draft',
  'requested',
  'approved',
  'cancelled',
  'shipped',
  'rejected',
  'received',
  'refunded',
] as const

const orderReturn = (random: Random, orderedMs: number, lines: readonly OrderLineItem[]): OrderReturn => {
  const created = later(random, orderedMs, 20 * DAY_MS)
  const step = (nullChance: number): string | null =>
    orNull(random, iso(later(random, created, 9 * DAY_MS)), nullChance)
  const sent = random.some(lines, 3)
  return {
    id: letters(random),
    number: `#${random.int(1, 99)}/R/001`,
    status: random.pick(RETURN_STATUSES),
    reference: orNull(random, random.pick(['RMA-1', 'RMA-2'])),
    reference_origin: orNull(random, 'helpdesk'),
    skus_count: random.int(0, 5),
    created_at: iso(created),
    updated_at: iso(later(random, created, 12 * DAY_MS)),
    approved_at: step(0.3),
    cancelled_at: step(0.7),
    shipped_at: step(0.4),
    rejected_at: step(0.7),
    received_at: step(0.5),
    refunded_at: step(0.6),
    archived_at: step(0.7),
    stock_location: random.chance(0.2) ? null : named(random, 'stock', 3),
    origin_address: random.chance(0.1) ? null : address(random),
    destination_address: random.chance(0.1) ? null : address(random),
    tags: tagsOf(random),
    line_items: sent.map((line) => ({
      id: letters(random),
      line_item_id: random.chance(0.9) ? line.id : letters(random),
      quantity: random.int(1, 3),
      created_at: iso(created),
      updated_at: iso(later(random, created, 3 * DAY_MS)),
      restocked_at: step(0.5),
    })),
  }
}

const address = (random: Random) => ({
  business: random.chance(0.3),
  city: orNull(random, random.pick(CITIES), 0.1),
  country_code: orNull(random, random.pick(COUNTRIES), 0.1),
  state_code: orNull(random, random.pick(['NY', 'CA', 'RM'])),
  zip_code: orNull(random, random.pick(['00100', '10001', '94102'])),
  geocoded: random.chance(0.5),
  localized: random.chance(0.5),
})

const datesOf = (random: Random, status: string) => {
  const created = START + random.int(0, 400 * DAY_MS)
  const placed = later(random, created, DAY_MS)
  const approved = later(random, placed, 3 * DAY_MS)
  const cancelled = later(random, approved, 3 * DAY_MS)
  const isPlaced = !['draft', 'pending'].includes(status)
  const isApproved = status === 'approved' || (status === 'cancelled' && random.chance(0.5))
  return {
    created,
    created_at: iso(created),
    updated_at: iso(later(random, cancelled, 5 * DAY_MS)),
    placed_at: isPlaced ? iso(placed) : null,
    approved_at: isApproved ? iso(approved) : null,
    cancelled_at: status === 'cancelled' ? iso(cancelled) : null,
    archived_at: orNull(random, iso(cancelled), 0.8),
    payment_updated_at: orNull(random, iso(placed)),
    fulfillment_updated_at: orNull(random, iso(approved)),
  }
}

const amountsOf = (random: Random) => {
  const subtotal = random.int(1000, 30_000)
  const shipping = random.int(0, 900)
  const tax = random.int(0, 4000)
  const discount = random.chance(0.5) ? 0 : -random.int(1, 900)
  const total = subtotal + shipping + discount
  return {
    subtotal,
    subtotal_tax: tax,
    subtotal_taxable: subtotal - tax,
    shipping,
    shipping_taxable: shipping,
    payment_method: random.pick([0, 150]),
    payment_method_tax: 0,
    payment_method_taxable: 150,
    adjustment: random.int(-100, 100),
    adjustment_tax: 0,
    adjustment_taxable: 0,
    discount,
    gift_card: random.chance(0.8) ? 0 : -500,
    duty: random.pick([0, 33]),
    total,
    total_tax: tax,
    total_taxable: total - tax,
    total_with_taxes: total,
  }
}

const customerOf = (random: Random) => {
  const index = random.int(0, 7)
  const domain = index % 2 === 0 ? 'gmail.com' : 'hotmail.com'
  return {
    id: idOf('cust', index),
    email: `person.${index}@${domain}`,
    group_name: orNull(random, index % 2 === 0 ? 'VIP' : 'Staff'),
    reference: orNull(random, `C-${index}`),
    reference_origin: orNull(random, 'crm'),
  }
}

const paymentMethodOf = (random: Random) => ({
  id: random.pick(['payMethodA', 'payMethodB']),
  name: orNull(random, random.pick(['Adyen', 'Wire'])),
  source_type: orNull(random, random.pick(['adyen_payments', 'wire_transfers'])),
  moto: random.chance(0.2),
  issuer: orNull(random, 'Bank'),
  issuer_type: orNull(random, 'bank'),
  card_type: orNull(random, random.pick(['visa', 'mastercard'])),
})

/** Numbers as core gives them, and those that merchants bring along. */
const numberOf = (index: number): string =>
  [String(100_000 + index), `WEB-2021/${index}`, String(1_234_567_890_123_456 + index)][index % 3] ?? ''

/** One document; `index` makes its id and number. */
export const makeDocument = (random: Random, index: number): OrderDocument => {
  const status = random.pick([
    'placed',
    'placed',
    'approved',
    'approved',
    'cancelled',
    'editing',
    'draft',
    'pending',
  ])
  const { created, ...dates } = datesOf(random, status)
  const { currency, digits, ...market } = random.pick(MARKETS)
  const list = <T>(max: number, make: () => T): readonly T[] =>
    Array.from({ length: random.int(0, max) }, make)
  const lineItems = list(4, () => lineItem(random, created))
  const shipments = list(2, () => shipment(random, created))
  const shipping = random.chance(0.1) ? null : address(random)
  return {
    schema: 2,
    organization: random.chance(0.85) ? ORGANIZATIONS[0] : ORGANIZATIONS[1],
    mode: random.chance(0.85) ? 'test' : 'live',
    id: idOf('o', index),
    version: 1,
    number: numberOf(index),
    reference: orNull(random, index % 10 === 0 ? '' : `PO-${index % 10}`),
    reference_origin: orNull(random, 'erp'),
    status,
    payment_status: random.pick(['authorized', 'paid', 'refunded', 'unpaid']),
    fulfillment_status: random.pick(['unfulfilled', 'in_progress', 'fulfilled', 'not_required']),
    currency_code: currency,
    minor_unit_digits: digits,
    language_code: orNull(random, random.pick(['en', 'it'])),
    country_code: shipping?.country_code ?? null,
    coupon_code: orNull(random, 'SUMMER', 0.7),
    gift_card_code: orNull(random, random.pick(['ABCDEFGH-1', 'ABCDEFGH-2', 'ZZZZZZZZ-9']), 0.7),
    affiliate_code: orNull(random, 'AFF1', 0.7),
    customer_type: orNull(random, random.pick(['new', 'returning'] as const)),
    guest: random.chance(0.3),
    tax_included: random.chance(0.5),
    freight_taxable: random.chance(0.5),
    link_id: orNull(random, 'linkAAAAAA', 0.8),
    user_id: orNull(random, 'userAAAAAA', 0.8),
    store_id: orNull(random, random.pick(['storeAAAAA', 'storeBBBBB'])),
    amounts: amountsOf(random),
    skus_count: lineItems.filter(({ item_type }) => item_type === 'skus').length,
    line_item_options_count: lineItems.reduce((sum, { options }) => sum + options.length, 0),
    shipments_count: shipments.length,
    ...dates,
    // Every ninth came in after it was placed, from another system.
    ...(index % 9 === 4 ? { created_at: iso(created + 2 * DAY_MS) } : {}),
    market,
    customer: random.chance(0.1) ? null : customerOf(random),
    billing_address: random.chance(0.1)
      ? null
      : {
          ...address(random),
          company: orNull(random, 'Acme S.p.A.'),
          first_name: orNull(random, random.pick(['John', 'Élodie'])),
          last_name: orNull(random, random.pick(['Smith', 'Rossi'])),
        },
    shipping_address: shipping,
    payment_method: random.chance(0.2) ? null : paymentMethodOf(random),
    line_items: lineItems,
    shipments,
    refunds: list(2, () => ({
      id: letters(random),
      number: `#${random.int(1, 99)}/R`,
      amount_cents: random.int(1, 900),
    })),
    returns: random.chance(0.7) ? [] : list(2, () => orderReturn(random, created, lineItems)),
    tags: tagsOf(random),
    resource_errors: list(1, () => ({
      id: letters(random),
      code: random.pick(['ADYEN_ERROR', 'TAX_ERROR']),
      name: random.pick(['payment_source', 'tax']),
      message: random.pick(['Refused', 'Timeout']),
      created_at: iso(created),
      updated_at: iso(later(random, created, DAY_MS)),
    })),
  }
}

export const makeDocuments = (seed: number, count: number): readonly OrderDocument[] => {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => makeDocument(random, index))
}

const FIRST_YEAR = 1997

/** Each was created in a quarter of its own, one after the other. */
export const ofQuarters = (documents: readonly OrderDocument[]): readonly OrderDocument[] =>
  documents.map((document, index) => ({
    ...document,
    created_at: iso(Date.UTC(FIRST_YEAR, index * 3, 1)),
  }))
