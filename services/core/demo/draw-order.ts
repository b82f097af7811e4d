/** One order of the demo: who buys what, where and when, and what became of it. */
import { drawContents } from './draw-lines.ts'
import { drawCourse, drawProgress } from './draw-progress.ts'
import { drawReturn } from './draw-return.ts'
import type { DrawnOrder } from './drawn-order.ts'
import { skewed } from './random.ts'
import type { Random } from './random.ts'
import { taxRateOf } from './read-shop.ts'
import type { Buyer, Shop, ShopMarket, ShopPaymentMethod, ShopStore } from './read-shop.ts'

export interface OrderArtist {
  draw(createdAt: Date): DrawnOrder
}

export interface OrderArtistOptions {
  readonly shop: Shop
  readonly random: Random
  readonly now: Date
  /** Numbers of customers who have ordered before; it grows as orders are drawn. */
  readonly knownBuyers: Set<number>
}

export const createOrderArtist = ({ shop, random, now, knownBuyers }: OrderArtistOptions): OrderArtist => {
  const markets = shop.markets
    .filter(({ offers, buyers }) => offers.length > 0 && buyers.length > 0)
    .map((market) => ({ market, drawBuyer: buyersOf(market) }))
  const weights = markets.map((each) => [each, each.market.blueprint.weight] as const)

  const draw = (createdAt: Date): DrawnOrder => {
    const { market, drawBuyer } = random.weighted(weights)
    const buyer = drawBuyer(random, createdAt)
    const store = random.chance(0.12) && market.stores.length > 0 ? random.pick(market.stores) : null
    const course = drawCourse(random, createdAt, now)
    const paymentMethod = drawPaymentMethod(random, market, store, OPEN.includes(course))
    const shippingMethod = random.weighted(market.shippingMethods.map((method) => [method, method.weight]))
    const contents = drawContents(random, {
      market,
      taxRate: taxRateOf(buyer),
      shippingMethod,
      paymentMethod,
      hasCheckout: course !== 'draft',
    })
    const { totals } = contents.computed
    const progress = drawProgress(random, course, {
      createdAt,
      now,
      hasShipment: contents.isShipped,
      isFree: totals.totalWithTaxes === 0,
    })
    const isReturning = knownBuyers.has(buyer.id)
    if (progress.placedAt !== null) knownBuyers.add(buyer.id)
    const stockLocationId =
      store?.stock_location_id ?? market.stockLocationIds[random.chance(0.85) ? 0 : 1] ?? null
    // A cart of somebody known is pending, however little of its checkout is filled in.
    const isNobodys = course === 'draft' && random.chance(0.8)
    const isPending = course === 'draft' && !isNobodys
    return {
      market,
      store,
      buyer: isNobodys ? null : buyer,
      isGuest: random.chance(0.25),
      isReturning,
      createdAt,
      progress: isPending ? { ...progress, status: 'pending' } : progress,
      lines: contents.lines,
      totals,
      paymentMethod: course === 'draft' ? null : paymentMethod,
      paymentInstrument:
        progress.placedAt === null ? null : instrumentOf(random, paymentMethod.payment_source_type),
      shipping:
        contents.isShipped && (course !== 'draft' || isPending)
          ? {
              method: isPending ? null : shippingMethod,
              stockLocationId,
              stockAddressId: shop.stockAddresses.get(stockLocationId ?? 0) ?? null,
            }
          : null,
      couponCode: contents.couponCode,
      giftCardCode: contents.giftCardCode,
      affiliateCode: random.chance(0.03) ? random.pick(['BLOG-42', 'NEWS-7', 'PARTNER-3']) : null,
      reference: random.chance(0.1) ? `ERP-${random.between(100_000, 999_999)}` : null,
      tags: random.chance(0.12) ? [random.pick(shop.tags)] : [],
      shipmentTags: random.chance(0.01) ? [random.pick(shop.tags)] : [],
      errors: course === 'placing' || random.chance(0.002) ? [random.pick(ERRORS)] : [],
      goodsReturned:
        progress.fulfillmentStatus === 'fulfilled' && random.chance(0.03)
          ? drawReturn(random, {
              from: progress.updatedAt,
              now,
              quantities: contents.lines
                .filter(({ item }) => item.type === 'skus')
                .map(({ quantity }) => quantity),
              tags: shop.tags,
            })
          : null,
    }
  }
  return { draw }
}

/** Courses on which an order is not placed. */
const OPEN: readonly string[] = ['draft', 'pending', 'placing']

/** Regular customers order often, and nobody before they joined. Buyers come sorted by when they did. */
const buyersOf = (market: ShopMarket): ((random: Random, at: Date) => Buyer) => {
  const { buyers } = market
  const position = skewed(buyers.length, 0.6)
  // Spread, so that those who order most are not those who joined first.
  const spread = buyers.map((_, index) => (index * 7919) % buyers.length)
  return (random, at) => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const buyer = buyers[spread[position(random)] ?? 0]
      if (buyer !== undefined && buyer.joined_at <= at) return buyer
    }
    const [first] = buyers
    if (first === undefined) throw new Error(`nobody buys in ${market.blueprint.code}`)
    return first
  }
}

/** An order that is still to be paid has a method that is offered. */
const drawPaymentMethod = (
  random: Random,
  market: ShopMarket,
  store: ShopStore | null,
  isOpen: boolean,
): ShopPaymentMethod => {
  const own = store?.paymentMethods ?? []
  const methods = own.length > 0 ? own : market.paymentMethods
  const offered = isOpen ? methods.filter(({ disabled_at }) => disabled_at === null) : methods
  return random.weighted(offered.map((method) => [method, method.weight]))
}

const instrumentOf = (random: Random, sourceType: string): Readonly<Record<string, string>> => {
  if (sourceType === 'paypal_payments') return { issuer: 'paypal', issuer_type: 'online_wallet' }
  if (sourceType !== 'stripe_payments') return { issuer: 'manual', issuer_type: 'wire_transfer' }
  const issuer = random.weighted([
    ['visa', 52],
    ['mastercard', 37],
    ['amex', 8],
    ['jcb', 3],
  ])
  const cardType = random.weighted([
    ['credit', 60],
    ['debit', 37],
    ['prepaid', 3],
  ])
  return {
    issuer,
    issuer_type: 'card',
    card_type: cardType,
    card_last_digits: String(random.between(1000, 9999)),
  }
}

const ERRORS = [
  { name: 'payment_source', code: 'DECLINED', message: 'was declined by the gateway' },
  { name: 'shipping_address', code: 'INVALID', message: 'was not recognised' },
  { name: 'line_items', code: 'OUT_OF_STOCK', message: 'are out of stock' },
] as const
