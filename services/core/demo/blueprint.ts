/** The demo shop: its markets, places and ways to pay and to deliver. Facts only; loadCatalogue stores them. */
import type { PromotionType } from '../src/promotions/promotion-types.ts'

export interface MarketBlueprint {
  readonly code: string
  readonly name: string
  readonly currency: string
  readonly taxIncluded: boolean
  /** Countries its customers live in, with how many of them. */
  readonly countries: readonly (readonly [country: string, weight: number])[]
  /** Codes of stock locations, the primary first. */
  readonly stockLocations: readonly string[]
  readonly cutoff: number
  readonly strategy: string
  /** Code of the customer group the market is private to. */
  readonly customerGroup?: string
  /** Its price of what costs 100 euro cents, in its own smallest unit. */
  readonly priceFactor: number
  /** Prices end on a multiple of this. */
  readonly priceStep: number
  /** Which part of the articles has a price here. */
  readonly assortment: number
  /** How many orders it gets. */
  readonly weight: number
  readonly freightTaxable: boolean
}

export const MARKETS: readonly MarketBlueprint[] = [
  {
    code: 'EU',
    name: 'Europe',
    currency: 'EUR',
    taxIncluded: true,
    countries: [
      ['IT', 5],
      ['FR', 3],
      ['DE', 3],
      ['ES', 2],
    ],
    stockLocations: ['MXP', 'BER'],
    cutoff: 2,
    strategy: 'split_shipments',
    priceFactor: 1,
    priceStep: 10,
    assortment: 0.92,
    weight: 46,
    freightTaxable: true,
  },
  {
    code: 'US',
    name: 'United States',
    currency: 'USD',
    taxIncluded: false,
    countries: [['US', 1]],
    stockLocations: ['EWR', 'MXP'],
    cutoff: 2,
    strategy: 'ship_from_first_available_or_primary',
    priceFactor: 1.1,
    priceStep: 1,
    assortment: 0.85,
    weight: 28,
    freightTaxable: false,
  },
  {
    code: 'UK',
    name: 'United Kingdom',
    currency: 'GBP',
    taxIncluded: true,
    countries: [['GB', 1]],
    stockLocations: ['LHR', 'MXP', 'BER'],
    cutoff: 2,
    strategy: 'no_split',
    priceFactor: 0.87,
    priceStep: 5,
    assortment: 0.8,
    weight: 15,
    freightTaxable: true,
  },
  {
    code: 'JP',
    name: 'Japan',
    currency: 'JPY',
    taxIncluded: true,
    countries: [['JP', 1]],
    stockLocations: ['KIX'],
    cutoff: 1,
    strategy: 'no_split',
    priceFactor: 1.62,
    priceStep: 10,
    assortment: 0.55,
    weight: 8,
    freightTaxable: true,
  },
  {
    code: 'VIP',
    name: 'Club',
    currency: 'EUR',
    taxIncluded: true,
    countries: [
      ['IT', 2],
      ['FR', 1],
    ],
    stockLocations: ['MXP'],
    cutoff: 1,
    strategy: 'no_split',
    customerGroup: 'CLUB',
    priceFactor: 0.8,
    priceStep: 10,
    assortment: 0.4,
    weight: 3,
    freightTaxable: true,
  },
]

export interface StockLocationBlueprint {
  readonly code: string
  readonly name: string
  readonly country: string
  /** Which part of the articles is kept here. */
  readonly assortment: number
}

export const STOCK_LOCATIONS: readonly StockLocationBlueprint[] = [
  { code: 'MXP', name: 'Milano warehouse', country: 'IT', assortment: 0.85 },
  { code: 'BER', name: 'Berlin warehouse', country: 'DE', assortment: 0.5 },
  { code: 'LHR', name: 'London warehouse', country: 'GB', assortment: 0.6 },
  { code: 'EWR', name: 'Newark warehouse', country: 'US', assortment: 0.75 },
  { code: 'KIX', name: 'Osaka warehouse', country: 'JP', assortment: 0.6 },
  { code: 'PARIS', name: 'Paris shop floor', country: 'FR', assortment: 0.12 },
]

export interface StoreBlueprint {
  readonly code: string
  readonly name: string
  readonly market: string
  readonly stockLocation?: string
  /** The store has payment methods of its own. */
  readonly paymentMethods?: readonly PaymentMethodBlueprint[]
}

export interface PaymentMethodBlueprint {
  readonly name: string
  readonly gateway: string
  readonly sourceType: string
  /** In euro cents. */
  readonly priceCents: number
  readonly weight: number
  /** Merx cannot take payments of this kind yet: placed orders have it, but it is not offered. */
  readonly isPast?: true
}

/** Every market has these. */
export const PAYMENT_METHODS: readonly PaymentMethodBlueprint[] = [
  {
    name: 'Credit card',
    gateway: 'Card terminal',
    sourceType: 'stripe_payments',
    priceCents: 0,
    weight: 62,
    isPast: true,
  },
  {
    name: 'PayPal',
    gateway: 'PayPal account',
    sourceType: 'paypal_payments',
    priceCents: 0,
    weight: 27,
    isPast: true,
  },
  { name: 'Bank transfer', gateway: 'Bank', sourceType: 'wire_transfers', priceCents: 0, weight: 7 },
  { name: 'Cash on delivery', gateway: 'Bank', sourceType: 'wire_transfers', priceCents: 350, weight: 4 },
]

export const STORES: readonly StoreBlueprint[] = [
  {
    code: 'PARIS',
    name: 'Paris, Rue de Rivoli',
    market: 'EU',
    stockLocation: 'PARIS',
    paymentMethods: [
      {
        name: 'Cash at the counter',
        gateway: 'Till',
        sourceType: 'wire_transfers',
        priceCents: 0,
        weight: 1,
      },
    ],
  },
  { code: 'LONDON', name: 'London, Carnaby Street', market: 'UK' },
  { code: 'NYC', name: 'New York, SoHo', market: 'US' },
]

export interface ShippingMethodBlueprint {
  readonly name: string
  readonly reference: string
  /** In euro cents. */
  readonly priceCents: number
  readonly freeOverCents: number | null
  readonly weight: number
}

/** Every market has these. */
export const SHIPPING_METHODS: readonly ShippingMethodBlueprint[] = [
  { name: 'Standard', reference: 'STD', priceCents: 590, freeOverCents: 7900, weight: 78 },
  { name: 'Express', reference: 'EXP', priceCents: 1290, freeOverCents: null, weight: 22 },
]

export const SHIPPING_CATEGORIES = [
  { key: 'apparel', code: 'APPAREL', name: 'Apparel' },
  { key: 'home', code: 'HOME', name: 'Home' },
  { key: 'fragile', code: 'FRAGILE', name: 'Fragile' },
  { key: 'digital', code: 'DIGITAL', name: 'Digital' },
] as const

export const CUSTOMER_GROUPS = [
  { code: 'CLUB', name: 'Club members' },
  { code: 'STAFF', name: 'Staff' },
] as const

export const TAGS = [
  'vip',
  'gift',
  'wholesale',
  'spring-campaign',
  'check-address',
  'influencer',
  'click-and-collect',
] as const

export interface PromotionBlueprint {
  readonly id: number
  readonly type: PromotionType
  readonly name: string
  readonly couponCode: string
  /** Part of the goods in hundred-millionths, an amount in euro cents, or the shipping costs. */
  readonly takes: { readonly rate: number } | { readonly cents: number } | 'shipping'
  readonly weight: number
}

export const PROMOTIONS: readonly PromotionBlueprint[] = [
  {
    id: 1,
    type: 'percentage_discount_promotions',
    name: 'Welcome: 10% off',
    couponCode: 'WELCOME10',
    takes: { rate: 10_000_000 },
    weight: 40,
  },
  {
    id: 2,
    type: 'percentage_discount_promotions',
    name: 'Season sale: 20% off',
    couponCode: 'SEASON20',
    takes: { rate: 20_000_000 },
    weight: 25,
  },
  {
    id: 3,
    type: 'fixed_amount_promotions',
    name: '15 off',
    couponCode: 'TAKE15OFF',
    takes: { cents: 1500 },
    weight: 15,
  },
  {
    id: 4,
    type: 'free_shipping_promotions',
    name: 'Free shipping',
    couponCode: 'SHIPFREE',
    takes: 'shipping',
    weight: 20,
  },
]
