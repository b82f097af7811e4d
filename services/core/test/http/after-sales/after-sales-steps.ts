/** Requests about what a shop sells and takes back, each with what the reference says that it comes to (test/support/after-sales-*.ts). */
import type fc from 'fast-check'
import { ARTICLES } from '../../support/after-sales-model.ts'
import type { Act, Article, OrderModel, Outcome, ShopModel } from '../../support/after-sales-model.ts'
import {
  addUnits,
  createSubscription,
  isRepeated,
  setCard,
  setCoupon,
  triggers,
} from '../../support/after-sales-orders.ts'
import {
  beginReturn,
  changeCard,
  moveCard,
  passTime,
  refundReturn,
  returnTriggers,
  returnUnits,
} from '../../support/after-sales-returns.ts'
import type { ReturnAct } from '../../support/after-sales-returns.ts'
import { singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { subscriptionCalls } from '../subscriptions/subscription-calls.ts'
import { checkoutCalls, linkTo, orderCalls } from '../support/order-calls.ts'
import type { Body, Response } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { returnCalls } from '../support/return-calls.ts'
import { expectBooks } from './after-sales-books.ts'
import type { Shop } from './after-sales-books.ts'

export const COUPON = 'SUMMER26'
export const CARD = 'GIFT2026'
/** The order whose lines have a frequency. */
export const SOURCE = 1

const HOUR_MS = 3_600_000

/** How far time jumps: so many hours, or to a moment at which something begins or ends, or a millisecond before. */
export type Jump = number | 'next run' | 'before next run' | 'end of sale' | 'end of coupon' | 'end of card'

export type Step = fc.AsyncCommand<ShopModel, Shop>

const outcomeOf = (response: Response): Outcome => {
  if (response.status < 300) return 'done'
  if (response.status === 422 || response.status === 423) return 'refused'
  throw new Error(`${response.status}: ${response.text}`)
}

const orderAt = ({ orders }: ShopModel, at: number): OrderModel => {
  const order = orders[at]
  if (order === undefined) throw new Error(`no order ${at}`)
  return order
}

const momentOf = (jump: Exclude<Jump, number>, { terms, subscription, now }: ShopModel): number => {
  const next = subscription?.next ?? now
  switch (jump) {
    case 'next run':
      return next
    case 'before next run':
      return next - 1
    case 'end of sale':
      return terms.saleEnds
    case 'end of coupon':
      return terms.couponEnds
    case 'end of card':
      return terms.cardEnds
  }
}

const lengthOf = (jump: Jump, model: ShopModel): number =>
  typeof jump === 'number' ? jump * HOUR_MS : Math.max(0, momentOf(jump, model) - model.now)

const SHIPPING_STEPS = ['_packing', '_ready_to_ship', '_ship'] as const

export const afterSalesSteps = (core: () => TestCore, jumpTo: (text: string) => void) => {
  const { add, change, changeOrder, remove } = orderCalls(core)
  const { send } = checkoutCalls(core)
  const { patch } = paymentCalls(core)
  const { post, addTo, shipmentsOf } = returnCalls(core)
  const { runJobs } = subscriptionCalls(core)
  /** What this run has tried, and what came of it. */
  const reached = new Set<string>()

  const step = (
    name: string,
    predict: (model: ShopModel) => Outcome,
    act: (shop: Shop, model: ShopModel) => Promise<Outcome>,
  ): Step => ({
    check: () => true,
    toString: () => name,
    run: async (model, shop) => {
      const before = JSON.stringify(model)
      const outcome = await act(shop, model)
      expect([name, before, outcome]).toEqual([name, before, predict(model)])
      reached.add(`${name.replaceAll(/-?\d+/g, 'n')} ${outcome}`)
      await expectBooks(core().pool, model, shop)
    },
  })

  /** One after the other, whatever each comes to. */
  const inTurn = (name: string, steps: readonly Step[]): Step => ({
    check: () => true,
    toString: () => name,
    run: async (model, shop) => {
      for (const each of steps) await each.run(model, shop)
    },
  })

  const ofOrder = (
    name: string,
    at: number,
    predict: Act,
    act: (order: string, model: ShopModel) => Promise<Outcome>,
  ): Step =>
    step(
      `${name} of ${at}`,
      (model) => predict(model, orderAt(model, at)),
      (shop, model) => act(shop.orders[at] ?? '', model),
    )

  const lineOf = async (
    order: string,
    article: Article,
  ): Promise<{ id: string; quantity: number } | undefined> => {
    const { body } = await core().get(`/api/orders/${order}/line_items?page[size]=25`, core().tokens.admin)
    const { data } = body as { readonly data: readonly { id: string; attributes: Body }[] }
    const code = article === 'SET' ? 'SET' : `SKU-${article}`
    const line = data.find(({ attributes: { sku_code: sku, bundle_code: set } }) => (set ?? sku) === code)
    return line === undefined ? undefined : { id: line.id, quantity: Number(line.attributes['quantity']) }
  }

  const writeUnits = async (order: string, article: Article, units: number, more: Body): Promise<Outcome> => {
    const line = await lineOf(order, article)
    const { admin } = core().tokens
    const quantity = (line?.quantity ?? 0) + units
    if (quantity < 0) return 'refused'
    if (line === undefined) {
      const code = article === 'SET' ? { bundle_code: 'SET' } : { sku_code: `SKU-${article}` }
      return outcomeOf(await add(admin, order, { ...code, ...more, quantity }))
    }
    return outcomeOf(
      quantity === 0 ? await remove(admin, line.id) : await change(admin, line.id, { quantity }),
    )
  }

  const sendShipments = async (order: string): Promise<Outcome> => {
    const outcomes: Outcome[] = []
    for (const id of await shipmentsOf(order))
      for (const trigger of SHIPPING_STEPS)
        outcomes.push(outcomeOf(await patch('shipments', id, { [trigger]: true })))
    return outcomes.length > 0 && outcomes.every((each) => each === 'done') ? 'done' : 'refused'
  }

  /** Of the last return of an order. */
  const ofReturn = (name: string, at: number, predict: ReturnAct, attributes: Body): Step =>
    step(
      `return ${name} of ${at}`,
      (model) => {
        const order = orderAt(model, at)
        const owner = order.returns.at(-1)
        return owner === undefined ? 'refused' : predict(model, order, owner)
      },
      async (shop) => {
        const owner = shop.returns.get(shop.orders[at] ?? '')
        return owner === undefined ? 'refused' : outcomeOf(await patch('returns', owner, attributes))
      },
    )

  /** Whoever sells a card changes it by hand once it was bought. */
  const ofCard = (name: string, predict: (model: ShopModel) => Outcome, attributes: Body): Step =>
    step(
      name,
      (model) => (model.card.status === 'draft' ? 'refused' : predict(model)),
      async (shop, { card }) =>
        card.status === 'draft' ? 'refused' : outcomeOf(await patch('gift_cards', shop.card, attributes)),
    )

  const trigger = (at: number, name: string): Step =>
    ofOrder(name, at, triggers[name] ?? (() => 'refused'), async (order) =>
      name === 'ship' ? sendShipments(order) : outcomeOf(await send(order, name)),
    )
  const returnTrigger = (at: number, name: string): Step =>
    ofReturn(name, at, returnTriggers[name] ?? (() => 'refused'), { [name]: true })
  const openReturn = (at: number): Step =>
    step(
      `return of ${at}`,
      (model) => beginReturn(model, orderAt(model, at)),
      async (shop) => {
        const order = shop.orders[at] ?? ''
        const response = await post('returns', {}, { order: linkTo('orders', order) })
        if (response.status === 201) shop.returns.set(order, singleOf(response).data.id)
        return outcomeOf(response)
      },
    )
  const unitsBack = (at: number, article: Article, units: number): Step =>
    step(
      `return ${units} ${article} of ${at}`,
      (model) => returnUnits(article, units)(model, orderAt(model, at)),
      async (shop) => {
        const order = shop.orders[at] ?? ''
        const owner = shop.returns.get(order)
        const line = await lineOf(order, article)
        return owner === undefined || line === undefined
          ? 'refused'
          : outcomeOf(await addTo(owner, line.id, units))
      },
    )

  const ask = (at: number, units: number): readonly Step[] => [
    openReturn(at),
    ...ARTICLES.map((article) => unitsBack(at, article, units)),
    returnTrigger(at, '_request'),
  ]

  return {
    reached,
    trigger,
    returnTrigger,
    openReturn,
    unitsBack,
    units: (at: number, article: Article, units: number): Step =>
      ofOrder(`${units} ${article}`, at, addUnits(article, units), (order, { terms: { frequency } }) =>
        writeUnits(order, article, units, at === SOURCE && isRepeated(article) ? { frequency } : {}),
      ),
    coupon: (at: number, isSet: boolean): Step =>
      ofOrder(isSet ? 'coupon' : 'no coupon', at, setCoupon(isSet), async (order) =>
        outcomeOf(await changeOrder(order, { coupon_code: isSet ? COUPON : '' })),
      ),
    card: (at: number, isSet: boolean): Step =>
      ofOrder(isSet ? 'card' : 'no card', at, setCard(isSet), async (order) =>
        outcomeOf(await changeOrder(order, { gift_card_code: isSet ? CARD : null })),
      ),
    subscribe: ofOrder('subscription', SOURCE, createSubscription, async (order) =>
      outcomeOf(await send(order, '_create_subscriptions')),
    ),
    refundOf: (at: number, cents: number): Step =>
      ofReturn(`refund ${cents}`, at, refundReturn(cents), { _refund: true, _refund_amount_cents: cents }),
    changeCardBy: (cents: number): Step =>
      ofCard(`change by ${cents}`, changeCard(cents), { _balance_change_cents: cents }),
    makeCard: (to: 'active' | 'inactive'): Step =>
      ofCard(`make ${to}`, moveCard(to), { [to === 'active' ? '_activate' : '_deactivate']: true }),
    sale: (isOn: boolean): Step =>
      step(
        `sale ${isOn ? 'on' : 'off'}`,
        (model) => {
          model.isOnSale = isOn
          return 'done'
        },
        async ({ sale }) =>
          outcomeOf(
            await patch('percentage_discount_promotions', sale, { [isOn ? '_enable' : '_disable']: true }),
          ),
      ),
    jump: (jump: Jump): Step =>
      step(
        typeof jump === 'number' ? `${jump} hours pass` : `until ${jump}`,
        (model) => passTime(model, lengthOf(jump, model)),
        async (_shop, model) => {
          jumpTo(new Date(model.now + lengthOf(jump, model)).toISOString())
          await runJobs()
          return 'done'
        },
      ),
    /** Paid and sent. */
    sell: (at: number): Step =>
      inTurn(
        `sell ${at}`,
        ['_place', '_approve_and_capture', 'ship'].map((name) => trigger(at, name)),
      ),
    /** So many units of each article are there again. */
    takeBack: (at: number, units: number): Step =>
      inTurn(`${units} of each of ${at} come back`, [
        ...ask(at, units),
        ...['_approve', '_ship', '_receive'].map((name) => returnTrigger(at, name)),
      ]),
    /** A return that is not agreed to, or whose goods are not what they should be. */
    turnDown: (at: number, isSent: boolean): Step =>
      inTurn(`a return of ${at} is ${isSent ? 'rejected' : 'cancelled'}`, [
        ...ask(at, 1),
        ...(isSent ? ['_approve', '_ship', '_reject'] : ['_cancel']).map((name) => returnTrigger(at, name)),
      ]),
    giveBack: (at: number): Step =>
      inTurn(`money of ${at} goes back`, [returnTrigger(at, '_refund'), returnTrigger(at, '_restock')]),
  }
}
