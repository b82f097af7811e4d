/** The reference of orders: carts, what is taken off them, and what becomes of them once they are placed. */
import { leftOf, PARTS, sum, sumOf, totalOf } from './after-sales-model.ts'
import type { Act, Article, Discount, LineModel, OrderModel, ShopModel } from './after-sales-model.ts'
import { nextTime } from './rhythm.ts'

/** Each gets its part rounded down, then those with the largest remainder a cent more, of equal ones the line that is worth more. */
const share = (lines: readonly LineModel[], cents: number, discount: Discount): void => {
  const all = sum(lines.map(leftOf))
  if (all === 0) return
  const parts = lines.map((line) => ({ line, worth: leftOf(line) }))
  let rest = cents
  for (const { line, worth } of parts) {
    line[discount] = Math.floor((worth * cents) / all)
    rest -= line[discount]
  }
  const fraction = ({ worth }: { readonly worth: number }): number => (worth * cents) % all
  for (const { line } of parts
    .toSorted((a, b) => fraction(b) - fraction(a) || b.worth - a.worth)
    .slice(0, rest))
    line[discount] += 1
}

/** By other orders: what an order that is edited has used counts for nothing in its own calculation. */
const usedByOthers = ({ orders }: ShopModel, order: OrderModel, name: 'usesSale' | 'usesCoupon') =>
  orders.filter((each) => each !== order && each[name])

const isSaleInForce = (shop: ShopModel, order: OrderModel): boolean =>
  shop.isOnSale &&
  shop.now < shop.terms.saleEnds &&
  (shop.terms.saleLimit === null || usedByOthers(shop, order, 'usesSale').length < shop.terms.saleLimit)

const isCouponValid = (shop: ShopModel, order: OrderModel): boolean => {
  const others = usedByOthers(shop, order, 'usesCoupon')
  return (
    shop.now < shop.terms.couponEnds &&
    others.length < shop.terms.couponLimit &&
    !(shop.terms.isOncePerCustomer && others.some(({ customer }) => customer === order.customer))
  )
}

const isCardUsable = ({ card, terms, now }: ShopModel, { taken }: OrderModel): boolean =>
  (card.status === 'active' || (card.status === 'redeemed' && taken > 0)) &&
  now < terms.cardEnds &&
  card.balance + taken > 0

/** What an order has taken stays its own, whatever becomes of the card. */
const usableOf = (shop: ShopModel, order: OrderModel): number =>
  isCardUsable(shop, order) ? shop.card.balance + order.taken : order.taken

/** What is taken off follows from what is in force now. */
const calculate = (shop: ShopModel, order: OrderModel): void => {
  const { lines } = order
  for (const line of lines) Object.assign(line, { sale: 0, coupon: 0, card: 0 })
  const left = (): number => sum(lines.map(leftOf))
  if (isSaleInForce(shop, order)) share(lines, Math.round((left() * shop.terms.percentage) / 100), 'sale')
  if (order.hasCoupon && isCouponValid(shop, order))
    share(lines, Math.min(left(), shop.terms.couponCents), 'coupon')
  order.cardPays = 0
  if (order.hasCard) order.cardPays = Math.min(usableOf(shop, order), totalOf(shop, order))
  if (shop.terms.isSpread) share(lines, order.cardPays, 'card')
}

const isOpen = ({ status }: OrderModel): boolean => ['draft', 'pending', 'editing'].includes(status)

export const addUnits =
  (article: Article, units: number): Act =>
  (shop, order) => {
    const line = order.lines.find((each) => each.article === article)
    const quantity = (line?.quantity ?? 0) + units
    if (!isOpen(order) || quantity < 0) return 'refused'
    if (line === undefined) order.lines.push({ article, quantity, reserved: 0, sale: 0, coupon: 0, card: 0 })
    else Object.assign(line, { quantity, reserved: Math.min(line.reserved, quantity) })
    order.lines = order.lines.filter((each) => each.quantity > 0)
    if (order.status !== 'editing')
      order.status = order.lines.length > 0 || order.buysCard ? 'pending' : 'draft'
    calculate(shop, order)
    return 'done'
  }

/** A code that the order has already is not checked again; neither is none. */
export const setCoupon =
  (isSet: boolean): Act =>
  (shop, order) => {
    if (!isOpen(order) || (isSet && !order.hasCoupon && !isCouponValid(shop, order))) return 'refused'
    order.hasCoupon = isSet
    calculate(shop, order)
    return 'done'
  }

export const setCard =
  (isSet: boolean): Act =>
  (shop, order) => {
    if (!isOpen(order) || (isSet && !order.hasCard && !isCardUsable(shop, order))) return 'refused'
    order.hasCard = isSet
    calculate(shop, order)
    return 'done'
  }

interface Units {
  readonly article: Article
  readonly quantity: number
}

export const moveStock = ({ stock }: ShopModel, { article, quantity }: Units, sign: 1 | -1): void => {
  const [a, b] = PARTS[article]
  stock[0] += sign * a * quantity
  stock[1] += sign * b * quantity
}

/** Promised to orders, and to those that the subscription made. */
export const reservedOf = ({ orders, subscription }: ShopModel): readonly [number, number] => {
  const promised = orders
    .flatMap(({ lines }) => lines)
    .map(({ article, reserved }) => ({ article, quantity: reserved }))
  const made = (subscription?.made ?? []).flatMap(() => subscription?.lines ?? [])
  const count = (at: 0 | 1) =>
    sum([...promised, ...made].map(({ article, quantity }) => PARTS[article][at] * quantity))
  return [count(0), count(1)]
}

/** What the order has of promotions and of the card must be had, unless it has it already. */
const canBeCounted = (shop: ShopModel, order: OrderModel): boolean =>
  (order.usesSale || sumOf(order, 'sale') === 0 || isSaleInForce(shop, order)) &&
  (order.usesCoupon || sumOf(order, 'coupon') === 0 || isCouponValid(shop, order)) &&
  (order.cardPays <= order.taken ||
    (isCardUsable(shop, order) && order.cardPays <= shop.card.balance + order.taken))

const isPlaceable = (shop: ShopModel, order: OrderModel): boolean =>
  order.status === 'pending' &&
  !(order.hasCoupon && !isCouponValid(shop, order)) &&
  !(order.hasCard && !isCardUsable(shop, order)) &&
  canBeCounted(shop, order) &&
  !(order.buysCard && shop.card.status !== 'draft')

/** What the order has of promotions and of the card now, is used. */
const countUses = ({ card, terms }: ShopModel, order: OrderModel): void => {
  order.usesSale = sumOf(order, 'sale') > 0
  order.usesCoupon = sumOf(order, 'coupon') > 0
  const had = order.taken
  card.balance += had - order.cardPays
  order.taken = order.cardPays
  const isUsedUp = order.taken > 0 && (terms.isSingleUse || (card.balance === 0 && !terms.isRechargeable))
  if (isUsedUp && card.status === 'active') card.status = 'redeemed'
  if (!isUsedUp && had + order.taken > 0 && card.status === 'redeemed') card.status = 'active'
}

const promise = (order: OrderModel): void => {
  for (const line of order.lines) line.reserved = line.quantity
  order.fulfillment = order.lines.length === 0 ? 'not_required' : 'unfulfilled'
  order.status = 'placed'
}

/** All that the order took; and what it bought cannot be used any more. */
const giveBackCard = ({ card }: ShopModel, order: OrderModel): void => {
  card.balance += order.taken
  if (order.taken > 0 && card.status === 'redeemed') card.status = 'active'
  order.taken = 0
  if (order.buysCard && order.placedAt > 0 && card.status !== 'draft') card.status = 'inactive'
}

const cancelOrder = (shop: ShopModel, order: OrderModel): void => {
  const isHandedOver =
    order.status === 'approved' && ['fulfilled', 'not_required'].includes(order.fulfillment)
  if (order.status === 'approved' && !isHandedOver) for (const line of order.lines) moveStock(shop, line, 1)
  if (!isHandedOver || order.payment === 'voided')
    Object.assign(order, { usesSale: false, usesCoupon: false })
  if (order.fulfillment === 'in_progress') order.fulfillment = 'unfulfilled'
  giveBackCard(shop, order)
  for (const line of order.lines) line.reserved = 0
  order.status = 'cancelled'
  if (shop.subscription?.source === order && shop.terms.isCancelledWithSource) shop.subscription.next = null
}

const startFulfilling = (order: OrderModel): void => {
  if (order.fulfillment === 'unfulfilled' && ['paid', 'free'].includes(order.payment))
    order.fulfillment = 'in_progress'
}

const capture: Act = (shop, order) => {
  if (['paid', 'partially_refunded', 'refunded', 'free'].includes(order.payment))
    return order.status === 'approved' || ['paid', 'free'].includes(order.payment) ? 'done' : 'refused'
  if (order.status !== 'approved' || order.payment !== 'authorized') return 'refused'
  order.captured = Math.min(order.open, totalOf(shop, order))
  order.open -= order.captured
  order.payment = 'paid'
  startFulfilling(order)
  return 'done'
}

const approve: Act = (shop, order) => {
  if (order.status === 'approved') return 'done'
  if (order.status !== 'placed') return 'refused'
  order.status = 'approved'
  for (const line of order.lines) {
    moveStock(shop, line, -1)
    line.reserved = 0
  }
  startFulfilling(order)
  return 'done'
}

export const triggers: Readonly<Record<string, Act>> = {
  _refresh: (shop, order) => {
    if (!isOpen(order)) return 'refused'
    calculate(shop, order)
    return 'done'
  },
  _place: (shop, order) => {
    if (order.status === 'placed') return 'done'
    if (!isPlaceable(shop, order)) return 'refused'
    order.open = totalOf(shop, order)
    order.placedTotal = order.open
    order.payment = order.open === 0 ? 'free' : 'authorized'
    order.placedAt = shop.now
    promise(order)
    countUses(shop, order)
    if (order.buysCard) shop.card.status = 'active'
    return 'done'
  },
  _start_editing: (_shop, order) => {
    if (order.status === 'editing') return 'done'
    if (order.status !== 'placed') return 'refused'
    order.status = 'editing'
    return 'done'
  },
  _stop_editing: (shop, order) => {
    if (order.status === 'placed') return 'done'
    const hasGoods = order.lines.length > 0 || order.buysCard
    if (order.status !== 'editing' || !hasGoods || totalOf(shop, order) > order.placedTotal) return 'refused'
    if (!canBeCounted(shop, order)) return 'refused'
    promise(order)
    countUses(shop, order)
    return 'done'
  },
  _approve: approve,
  _approve_and_capture: (shop, order) => {
    if (order.status === 'approved') return 'done'
    if (order.status !== 'placed' || order.payment !== 'authorized') return 'refused'
    approve(shop, order)
    return capture(shop, order)
  },
  _capture: capture,
  _cancel: (shop, order) => {
    if (order.status === 'cancelled') return 'done'
    const isUntouched =
      order.payment === 'authorized' && ['unfulfilled', 'not_required'].includes(order.fulfillment)
    if (order.status === 'draft' || (order.status === 'approved' && !isUntouched)) return 'refused'
    if (order.open > 0) order.payment = 'voided'
    order.open = 0
    cancelOrder(shop, order)
    return 'done'
  },
  _refund: (shop, order) => {
    if (order.payment === 'refunded') return 'done'
    if (order.status !== 'approved' || order.captured === 0) return 'refused'
    order.refunded = order.captured
    order.open = 0
    order.payment = 'refunded'
    cancelOrder(shop, order)
    return 'done'
  },
  /** All shipments have left. */
  ship: (_shop, order) => {
    if (order.fulfillment !== 'in_progress') return 'refused'
    order.fulfillment = 'fulfilled'
    return 'done'
  },
}

/** Lines of these articles have a frequency, in the order that a subscription comes of. */
export const isRepeated = (article: Article): boolean => article !== 'B'

export const createSubscription: Act = (shop, order) => {
  if (shop.subscription?.source === order) return 'done'
  const lines = order.lines
    .filter(({ article }) => isRepeated(article))
    .map(({ article, quantity }) => ({ article, quantity }))
  if (!['placed', 'editing', 'approved'].includes(order.status) || lines.length === 0) return 'refused'
  const next = nextTime(shop.terms.frequency, order.placedAt, shop.now)
  shop.subscription = { source: order, lines, next, made: [] }
  return 'done'
}
