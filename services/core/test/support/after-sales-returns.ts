/** The reference of what happens to what was sold: returns, changes of the gift card by hand, and time that passes. */
import { leftOf, sum } from './after-sales-model.ts'
import type { Act, Article, OrderModel, Outcome, ReturnModel, ShopModel } from './after-sales-model.ts'
import { moveStock } from './after-sales-orders.ts'
import { nextTime } from './rhythm.ts'

export const beginReturn: Act = (_shop, order) => {
  if (order.fulfillment !== 'fulfilled') return 'refused'
  order.returns.push({ status: 'draft', lines: [] })
  return 'done'
}

const GIVEN_UP: readonly string[] = ['cancelled', 'rejected']

/** A unit comes back once, and all of them together bring what was paid for the line. */
export const returnUnits =
  (article: Article, units: number): Act =>
  (_shop, order) => {
    const line = order.lines.find((each) => each.article === article)
    const owner = order.returns.at(-1)
    if (line === undefined || owner?.status !== 'draft') return 'refused'
    const others = order.returns
      .filter(({ status }) => !GIVEN_UP.includes(status))
      .flatMap(({ lines }) => lines)
      .filter((each) => each.article === article)
    const before = sum(others.map(({ quantity }) => quantity))
    if (before + units > line.quantity) return 'refused'
    const left = leftOf(line) - sum(others.map(({ cents }) => cents))
    const part = Math.round((leftOf(line) * units) / line.quantity)
    const cents = before + units === line.quantity ? left : Math.min(part, left)
    owner.lines.push({ article, quantity: units, cents, isRestocked: false })
    return 'done'
  }

export const estimateOf = ({ lines }: ReturnModel): number => sum(lines.map(({ cents }) => cents))

export type ReturnAct = (shop: ShopModel, order: OrderModel, owner: ReturnModel) => Outcome

const step =
  (from: ReturnModel['status'], to: ReturnModel['status']): ReturnAct =>
  (_shop, _order, owner) => {
    if (owner.status === to) return 'done'
    if (owner.status !== from || (to === 'requested' && owner.lines.length === 0)) return 'refused'
    owner.status = to
    return 'done'
  }

const restock: ReturnAct = (shop, _order, owner) => {
  if (!['received', 'refunded'].includes(owner.status)) return 'refused'
  for (const line of owner.lines.filter(({ isRestocked }) => !isRestocked)) {
    line.isRestocked = true
    moveStock(shop, line, 1)
  }
  return 'done'
}

/** Of what was captured; the order stays as it is. */
export const refundReturn =
  (sent: number | null): ReturnAct =>
  (_shop, order, owner) => {
    if (owner.status === 'refunded') return 'done'
    const cents = sent ?? estimateOf(owner)
    if (owner.status !== 'received' || cents < 1 || cents > order.captured - order.refunded) return 'refused'
    owner.status = 'refunded'
    order.refunded += cents
    order.payment = order.refunded === order.captured ? 'refunded' : 'partially_refunded'
    return 'done'
  }

export const returnTriggers: Readonly<Record<string, ReturnAct>> = {
  _request: step('draft', 'requested'),
  _approve: step('requested', 'approved'),
  _cancel: step('requested', 'cancelled'),
  _ship: step('approved', 'shipped'),
  _reject: step('shipped', 'rejected'),
  _receive: step('shipped', 'received'),
  _restock: restock,
  _refund: refundReturn(null),
}

export const moveCard =
  (to: 'active' | 'inactive') =>
  ({ card }: ShopModel): Outcome => {
    if (card.status === to) return 'done'
    if (!['active', 'inactive'].includes(card.status)) return 'refused'
    card.status = to
    return 'done'
  }

/** By hand, after it was bought. */
export const changeCard =
  (cents: number) =>
  ({ card, terms }: ShopModel): Outcome => {
    if (card.status === 'redeemed' || card.balance + cents < 0 || (cents > 0 && !terms.isRechargeable))
      return 'refused'
    card.balance += cents
    card.byHand += cents
    return 'done'
  }

/** Time passes, and the job that begins due runs looks once. */
export const passTime = (shop: ShopModel, ms: number): Outcome => {
  shop.now += ms
  const { subscription, terms } = shop
  if (subscription === undefined || subscription.next === null || subscription.next > shop.now) return 'done'
  subscription.made.push(subscription.next)
  subscription.next = nextTime(terms.frequency, subscription.source.placedAt, shop.now)
  return 'done'
}
