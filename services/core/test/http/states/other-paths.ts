/** How each transition of what is no order is taken over HTTP: the triggers that lead there are read from the machine itself. */
import type { AnyStateMachine } from '../../../src/states/define-state-machine.ts'
import { findInStock } from '../../../src/subscriptions/jobs/notify-in-stock.ts'
import { listOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { returnCalls, WITH_RETURNS } from '../support/return-calls.ts'
import { runNow } from '../support/run-now.ts'
import { orderSteps } from './order-steps.ts'
import { familyOf, numberOf, subscriptionRecords } from './subscription-paths.ts'
import {
  BY_BROKEN_WORKER,
  BY_CANCELLED_PURCHASE,
  BY_CANCELLED_USE,
  BY_ORDER,
  BY_STOCK,
  BY_USE,
  OTHER_WAYS,
} from './transition-paths.ts'

/** Ways of a gift card. */
const BY_USES: readonly string[] = [BY_USE, BY_CANCELLED_USE, BY_CANCELLED_PURCHASE]

interface Wanted {
  readonly type: string
  readonly name: string
  readonly machine: AnyStateMachine
  readonly transition: string
  readonly from: string
}

/** The shortest way of triggers from the first state to another. */
const triggersTo = (
  { initial, transitions }: AnyStateMachine,
  state: string,
): readonly string[] | undefined => {
  const ways = new Map<string, readonly string[]>([[initial, []]])
  for (const [reached, way] of ways)
    for (const { from, to, trigger } of Object.values(transitions))
      if (trigger !== undefined && from.includes(reached) && !ways.has(to)) ways.set(to, [...way, trigger])
  return ways.get(state)
}

export const otherRecords = (core: () => TestCore) => {
  const { patch, ok } = paymentCalls(core)
  const orders = orderSteps(core)
  const returnsOf = returnCalls(core)

  const post = async (type: string, attributes: Body, relationships: Body = {}): Promise<string> =>
    singleOf(
      await core().send('POST', `/api/${type}`, core().tokens.admin, {
        data: { type, attributes, relationships },
      }),
    ).data.id

  const story = async (text: string): Promise<string> => {
    const [beginning = '', ...steps] = text.split(', ')
    const order = await orders.begin(beginning)
    for (const step of steps) await orders.take(order, step)
    return order
  }

  const shipmentOf = async (order: string): Promise<string> =>
    listOf(await core().get(`/api/orders/${order}/shipments`, core().tokens.admin)).data[0]?.id ?? ''

  const draftShipment = (order: string): Promise<string> =>
    post(
      'shipments',
      {},
      { order: linkTo('orders', order), inventory_stock_location: one('inventory_stock_locations', 1) },
    )

  const subscriptions = subscriptionRecords(core, post)

  const makers: Readonly<Record<string, () => Promise<string>>> = {
    shipments: async () => draftShipment(await story('payable, _place, _approve_and_capture')),
    stock_transfers: () =>
      post(
        'stock_transfers',
        { quantity: 1 },
        {
          sku: one('skus', 2),
          origin_stock_location: one('stock_locations', 2),
          destination_stock_location: one('stock_locations', 3),
        },
      ),
    stock_reservations: () =>
      post('stock_reservations', { quantity: 1 }, { stock_item: one('stock_items', 1) }),
    imports: () => post('imports', { resource_type: 'tags', inputs: [{ name: 'new' }] }),
    exports: () => post('exports', { resource_type: 'skus' }),
    cleanups: () => post('cleanups', { resource_type: 'gift_cards' }),
    returns: async () => {
      await core().pool.query(`${WITH_RETURNS} ON CONFLICT DO NOTHING`)
      return returnsOf.draftOf(await story('payable, _place, _approve_and_capture, _fulfill'))
    },
    gift_cards: () =>
      post('gift_cards', { code: 'GIFT2026', currency_code: 'EUR', balance_cents: 500, single_use: true }),
    ...subscriptions.makers,
    in_stock_subscriptions: () =>
      post(
        'in_stock_subscriptions',
        { customer_email: 'ada@example.com', sku_code: 'SKU-B' },
        { market: one('markets', 1) },
      ),
  }

  const create = (type: string): Promise<string> => {
    const make = makers[type]
    if (make === undefined) throw new Error(`nothing makes a record of ${type}`)
    return make()
  }

  const trigger = async (type: string, id: string, name: string) =>
    ok(await patch(type, id, { [name]: true }))

  /** A worker has begun it and went away. */
  const setState = (type: string, number: number, state: string) =>
    core().pool.query(`UPDATE ${type} SET status = $2 WHERE environment_id = 1 AND id = $1`, [number, state])

  /** The order starts to be fulfilled, and the place of its shipment is on hold. */
  const byOrder = async () => {
    const order = await story('payable, held-locations, _place')
    return {
      number: numberOf('shipments', await shipmentOf(order)),
      take: () => orders.take(order, '_approve_and_capture'),
    }
  }

  /** The card is active, or redeemed by a placed order. */
  const byUse = async (way: string) => {
    const card = await create('gift_cards')
    const buyer = await story('payable')
    if (way === BY_CANCELLED_PURCHASE) {
      await post(
        'line_items',
        { quantity: 1 },
        { order: linkTo('orders', buyer), item: linkTo('gift_cards', card) },
      )
      await orders.take(buyer, '_place')
    } else for (const name of ['_purchase', '_activate']) await trigger('gift_cards', card, name)
    const order = await story('payable')
    ok(await patch('orders', order, { gift_card_code: 'GIFT2026' }))
    if (way !== BY_USE) await orders.take(order, '_place')
    const cancelled = way === BY_CANCELLED_PURCHASE ? buyer : order
    return {
      number: numberOf('gift_cards', card),
      take: () => orders.take(cancelled, way === BY_USE ? '_place' : '_cancel'),
    }
  }

  return {
    create,
    /** The record in the state that the transition starts from, and what takes it. */
    bring: async ({ type, name, machine, transition, from }: Wanted) => {
      const way = OTHER_WAYS[name]?.[transition]?.[from]
      if (way === undefined) throw new Error(`${transition} of ${name} has no way from ${from}`)
      if (way === BY_ORDER) return byOrder()
      if (BY_USES.includes(way)) return byUse(way)
      const id = await create(type)
      const number = numberOf(type, id)
      const triggers = triggersTo(machine, from)
      if (triggers === undefined) await setState(familyOf(type), number, from)
      else for (const each of triggers) await trigger(type, id, each)
      const ofSubscription = await subscriptions.wayOf(way, { transition, number })
      if (ofSubscription !== undefined) return { number, take: ofSubscription }
      if (way === BY_BROKEN_WORKER) await core().pool.query(`UPDATE ${type} SET requested_by = '{}'`)
      if (way === BY_STOCK) return { number, take: () => runNow(core(), findInStock) }
      const last = machine.transitions[transition]?.trigger
      const take = () => (last === undefined ? core().jobs.runUntilIdle() : trigger(type, id, last))
      return { number, take }
    },
  }
}
