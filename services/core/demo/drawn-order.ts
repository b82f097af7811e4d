/** An order as the generator thinks it up, before it has numbers. Amounts are in the smallest unit of its currency. */
import type { OrderTotals } from '../src/orders/totals/order-totals.ts'
import type { DrawnReturn } from './draw-return.ts'
import type {
  Buyer,
  Offer,
  ShopMarket,
  ShopPaymentMethod,
  ShopShippingMethod,
  ShopStore,
} from './read-shop.ts'

export interface DrawnOption {
  readonly name: string
  readonly quantity: number
  readonly unitCents: number
  readonly totalCents: number
  readonly choices: Readonly<Record<string, string>>
}

/** What the line is for; a shipment's and a payment method's number come later. */
export type DrawnItem =
  | { readonly type: 'skus'; readonly offer: Offer }
  | { readonly type: 'shipments' | 'payment_methods' }
  | { readonly type: string; readonly id: number }

export interface DrawnLine {
  readonly item: DrawnItem
  readonly name: string
  readonly quantity: number
  readonly unitCents: number
  readonly optionsCents: number
  readonly totalCents: number
  readonly discountCents: number
  readonly taxCents: number
  /** In hundred-millionths. */
  readonly taxRate: number
  readonly discountBreakdown: object | null
  readonly couponCode: string | null
  readonly options: readonly DrawnOption[]
}

/** Where the order stands, and since when. Instants that have not come yet are null. */
export interface DrawnProgress {
  readonly status: 'draft' | 'pending' | 'editing' | 'placing' | 'placed' | 'approved' | 'cancelled'
  readonly paymentStatus: string
  readonly fulfillmentStatus: string
  readonly placedAt: Date | null
  readonly approvedAt: Date | null
  readonly cancelledAt: Date | null
  readonly archivedAt: Date | null
  readonly paymentUpdatedAt: Date | null
  readonly fulfillmentUpdatedAt: Date | null
  readonly updatedAt: Date
  readonly shipment: DrawnShipmentProgress
  /** Part of the total that was paid back, 0 to 1. */
  readonly refunded: number
}

export interface DrawnShipmentProgress {
  readonly status:
    | 'draft'
    | 'upcoming'
    | 'on_hold'
    | 'picking'
    | 'packing'
    | 'ready_to_ship'
    | 'shipped'
    | 'delivered'
    | 'cancelled'
  readonly onHoldAt: Date | null
  readonly pickingAt: Date | null
  readonly packingAt: Date | null
  readonly readyToShipAt: Date | null
  readonly shippedAt: Date | null
  readonly deliveredAt: Date | null
  readonly cancelledAt: Date | null
}

export interface DrawnOrder {
  readonly market: ShopMarket
  readonly store: ShopStore | null
  readonly buyer: Buyer | null
  readonly isGuest: boolean
  readonly isReturning: boolean
  readonly createdAt: Date
  readonly progress: DrawnProgress
  readonly lines: readonly DrawnLine[]
  readonly totals: OrderTotals
  readonly paymentMethod: ShopPaymentMethod | null
  readonly paymentInstrument: Readonly<Record<string, string>> | null
  /** Null when nothing is to be shipped, and of drafts: an order plans its shipments from pending on (ADR 83). */
  readonly shipping: {
    /** Null until somebody chose one. */
    readonly method: ShopShippingMethod | null
    readonly stockLocationId: number | null
    /** Where the stock location is. */
    readonly stockAddressId: number | null
  } | null
  readonly couponCode: string | null
  readonly giftCardCode: string | null
  readonly affiliateCode: string | null
  readonly reference: string | null
  readonly tags: readonly number[]
  readonly shipmentTags: readonly number[]
  readonly errors: readonly { readonly name: string; readonly code: string; readonly message: string }[]
  /** Null when nothing was sent back. */
  readonly goodsReturned: DrawnReturn | null
}
