/**
 * A small reference of what selling is about once there are promotions, gift cards, returns and subscriptions: what each request
 * comes to, in plain numbers. It knows two SKUs and a bundle of them, one promotion for all, one coupon, and one gift card that its
 * first order buys. Predicted from the how-tos and ADRs (110, 111, 113, 114, 116, 117), not from the code under test.
 */

export const PRICES = { A: 3333, B: 1999, SET: 7001 } as const
export type Article = keyof typeof PRICES
export const ARTICLES = Object.keys(PRICES) as readonly Article[]

/** Units of SKU A and SKU B in one of it. */
export const PARTS: Readonly<Record<Article, readonly [number, number]>> = {
  A: [1, 0],
  B: [0, 1],
  SET: [1, 2],
}

/** What stays as it is while a sequence goes on. Times are milliseconds. */
export interface Terms {
  readonly percentage: number
  readonly saleLimit: number | null
  readonly saleEnds: number
  readonly couponCents: number
  readonly couponLimit: number
  readonly isOncePerCustomer: boolean
  readonly couponEnds: number
  readonly cardCents: number
  readonly cardEnds: number
  /** It is spread over the lines before tax. */
  readonly isSpread: boolean
  readonly isRechargeable: boolean
  readonly isSingleUse: boolean
  readonly frequency: string
  readonly isCancelledWithSource: boolean
}

export interface LineModel {
  readonly article: Article
  quantity: number
  /** Units that are promised to it. */
  reserved: number
  /** What each takes off, as of the last calculation. */
  sale: number
  coupon: number
  card: number
}

export interface ReturnModel {
  status: 'draft' | 'requested' | 'approved' | 'cancelled' | 'shipped' | 'rejected' | 'received' | 'refunded'
  readonly lines: {
    readonly article: Article
    readonly quantity: number
    readonly cents: number
    isRestocked: boolean
  }[]
}

export interface OrderModel {
  readonly customer: string
  readonly buysCard: boolean
  status: 'draft' | 'pending' | 'placed' | 'editing' | 'approved' | 'cancelled'
  payment: string
  fulfillment: string
  lines: LineModel[]
  hasCoupon: boolean
  hasCard: boolean
  /** What the gift card pays. */
  cardPays: number
  usesSale: boolean
  usesCoupon: boolean
  /** What is taken from the card. */
  taken: number
  open: number
  captured: number
  refunded: number
  returns: ReturnModel[]
  placedAt: number
  /** What it cost then, and costs at most when it was edited. */
  placedTotal: number
}

export interface SubscriptionModel {
  readonly source: OrderModel
  readonly lines: readonly { readonly article: Article; readonly quantity: number }[]
  next: number | null
  /** Times at which it made an order. */
  readonly made: number[]
}

export interface ShopModel {
  readonly terms: Terms
  now: number
  isOnSale: boolean
  card: { status: 'draft' | 'inactive' | 'active' | 'redeemed'; balance: number; byHand: number }
  readonly orders: OrderModel[]
  subscription: SubscriptionModel | undefined
  /** Units of SKU A and of SKU B that are in stock. */
  readonly stock: [number, number]
}

export const newOrder = (customer: string, buysCard: boolean): OrderModel => ({
  customer,
  buysCard,
  status: buysCard ? 'pending' : 'draft',
  payment: 'unpaid',
  fulfillment: 'unfulfilled',
  lines: [],
  hasCoupon: false,
  hasCard: false,
  cardPays: 0,
  usesSale: false,
  usesCoupon: false,
  taken: 0,
  open: 0,
  captured: 0,
  refunded: 0,
  returns: [],
  placedAt: 0,
  placedTotal: 0,
})

/** `refused` leaves everything as it was. */
export type Outcome = 'done' | 'refused'
export type Act = (shop: ShopModel, order: OrderModel) => Outcome

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

export type Discount = 'sale' | 'coupon' | 'card'

export const sumOf = ({ lines }: OrderModel, discount: Discount): number =>
  sum(lines.map((line) => line[discount]))

/** Of the line, after the discounts of promotions, and of a card that is spread. */
export const leftOf = ({ article, quantity, sale, coupon, card }: LineModel): number =>
  PRICES[article] * quantity - sale - coupon - card

export const subtotalOf = ({ terms }: ShopModel, { lines, buysCard }: OrderModel): number =>
  sum(lines.map(({ article, quantity }) => PRICES[article] * quantity)) + (buysCard ? terms.cardCents : 0)

export const totalOf = (shop: ShopModel, order: OrderModel): number =>
  subtotalOf(shop, order) - sumOf(order, 'sale') - sumOf(order, 'coupon') - order.cardPays
