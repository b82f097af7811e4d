/**
 * Sequences of requests against a reference of orders (test/support/order-model.ts): each is answered as predicted, and after each
 * the books agree. MERX_MODEL_SEQUENCES says how many, MERX_MODEL_SEED repeats those of a run that printed it.
 */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { modelSeed, modelSequences } from '@merx/testing/model-settings'
import fc from 'fast-check'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { expireReservations } from '../../../src/inventory/reservation-expiry.ts'
import { openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import {
  capturePart,
  changes,
  newOrder,
  passTime,
  placeLater,
  refundPart,
  reserveLine,
  setQuantity,
  shipAll,
  triggers,
} from '../../support/order-model.ts'
import type { OrderModel, Outcome, ShopModel } from '../../support/order-model.ts'
import { expectBooks, JOINT, reached, topicsBetween } from '../support/order-books.ts'
import type { Shop } from '../support/order-books.ts'
import { ADDRESSES, attributesOf, checkoutCalls, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Response } from '../support/order-calls.ts'

const SEQUENCES = modelSequences(30, 120)
const SEED = modelSeed()
const COMMANDS_MAX = 12

let core: TestCore

beforeAll(async () => {
  core = await openCore('order_model')
  await core.pool.query(`
    INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents)
      VALUES (1, 1, 'Free', 'EUR', 0);
    UPDATE markets SET default_shipping_method_id = 1 WHERE id = 1;
    UPDATE payment_methods SET auto_capture = false WHERE id = 1`)
})
afterAll(() => core.close())

/** Time passes, and tokens expire with it. */
const renewToken = async (): Promise<void> => {
  core = { ...core, tokens: { ...core.tokens, admin: await core.tokens.mint() } }
}

const { draft, add, change, changeOrder, remove } = orderCalls(() => core)
const { send, pay } = checkoutCalls(() => core)

let skus = 9_000

const openShop = async (unitCents: number, stock: readonly [number, number]): Promise<Shop> => {
  skus += 1
  const code = `MODEL-${skus}`
  await core.pool.query(
    `WITH sku AS (INSERT INTO skus (id, environment_id, code, name, shipping_category_id) VALUES (${skus}, 1, '${code}', 'x', 1)),
      price AS (INSERT INTO prices (environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents)
        VALUES (1, ${skus}, '${code}', 1, 'EUR', ${unitCents}))
    INSERT INTO stock_items (environment_id, sku_id, sku_code, stock_location_id, quantity)
      VALUES (1, ${skus}, '${code}', 1, ${stock[0]}), (1, ${skus}, '${code}', 2, ${stock[1]})`,
  )
  return { sku: skus, code, orders: [], waiting: [], events: [] }
}

const isRefusal = ({ status }: Response): boolean => status === 422 || status === 423

const outcomeOf = (response: Response): Outcome => {
  if (response.status < 300) return 'done'
  if (isRefusal(response)) return 'refused'
  throw new Error(`${response.status}: ${response.text}`)
}

const ofOrder = (order: string) => ({ order: linkTo('orders', order) })

const lineOf = async (order: string): Promise<string | undefined> => {
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT id FROM line_items WHERE order_id = $1 AND item_type = 'skus'`,
    [decodeId('orders', order)],
  )
  return rows[0] === undefined ? undefined : encodeId('line_items', rows[0].id)
}

const writeQuantity = async ({ code }: Shop, order: string, quantity: number): Promise<Outcome> => {
  const line = await lineOf(order)
  const { admin } = core.tokens
  if (quantity === 0) return line === undefined ? 'refused' : outcomeOf(await remove(admin, line))
  return outcomeOf(
    line === undefined
      ? await add(admin, order, { sku_code: code, quantity })
      : await change(admin, line, { quantity }),
  )
}

const CHANGES: Readonly<Record<string, (order: string) => Promise<Response>>> = {
  address: (order) => changeOrder(order, {}, ADDRESSES),
  payment_method: (order) => changeOrder(order, {}, { payment_method: one('payment_methods', 1) }),
  place_async: (order) => changeOrder(order, { place_async: true }),
  pay: (order) =>
    core.send('POST', '/api/wire_transfers', core.tokens.admin, {
      data: { type: 'wire_transfers', relationships: ofOrder(order) },
    }),
}

const transactionOf = async (order: string, type: string, column: string): Promise<string | undefined> => {
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT id FROM transactions WHERE order_id = $1 AND type = $2 ORDER BY ${column} > 0 DESC, id LIMIT 1`,
    [decodeId('orders', order), type],
  )
  return rows[0] === undefined ? undefined : encodeId('transactions', rows[0].id)
}

const movePart = async (
  order: string,
  { type, trigger, balance }: { readonly type: string; readonly trigger: string; readonly balance: string },
  cents: number,
): Promise<Outcome> => {
  const id = await transactionOf(order, type, balance)
  if (id === undefined) return 'refused'
  const attributes = { [trigger]: true, [`${trigger}_amount_cents`]: cents }
  return outcomeOf(
    await core.send('PATCH', `/api/${type}/${id}`, core.tokens.admin, { data: { type, id, attributes } }),
  )
}

const SHIPPING_STEPS = ['_packing', '_ready_to_ship', '_ship'] as const

const sendShipments = async (order: string): Promise<Outcome> => {
  const { rows } = await core.pool.query<{ id: number }>(
    `SELECT id FROM shipments WHERE order_id = $1 AND status <> 'cancelled' ORDER BY id`,
    [decodeId('orders', order)],
  )
  const outcomes: Outcome[] = []
  for (const { id: number } of rows)
    for (const trigger of SHIPPING_STEPS) {
      const id = encodeId('shipments', number)
      const data = { type: 'shipments', id, attributes: { [trigger]: true } }
      outcomes.push(outcomeOf(await core.send('PATCH', `/api/shipments/${id}`, core.tokens.admin, { data })))
    }
  return outcomes.length > 0 && outcomes.every((each) => each === 'done') ? 'done' : 'refused'
}

const copyOf = (order: OrderModel): OrderModel => ({ ...order })

class Step implements fc.AsyncCommand<ShopModel, Shop> {
  private readonly name: string
  private readonly predict: (model: ShopModel, shop: Shop) => Outcome
  private readonly act: (shop: Shop, model: ShopModel) => Promise<Outcome>

  constructor(
    name: string,
    predict: (model: ShopModel, shop: Shop) => Outcome,
    act: (shop: Shop, model: ShopModel) => Promise<Outcome>,
  ) {
    this.name = name
    this.predict = predict
    this.act = act
  }

  check(): boolean {
    return true
  }

  async run(model: ShopModel, shop: Shop): Promise<void> {
    const before = model.orders.map(copyOf)
    const outcome = await this.act(shop, model)
    const predicted = this.predict(model, shop)
    if (predicted === 'refused') model.orders.splice(0, model.orders.length, ...before)
    expect([this.name, JSON.stringify(before), outcome]).toEqual([
      this.name,
      JSON.stringify(before),
      predicted,
    ])
    model.orders.forEach((order, at) => {
      for (const topic of topicsBetween(before[at] ?? newOrder(), order)) count(shop.events[at], topic)
    })
    await expectBooks(core.pool, model, shop)
  }

  toString(): string {
    return this.name
  }
}

const count = (events: Map<string, number> | undefined, topic: string): void => {
  events?.set(topic, (events.get(topic) ?? 0) + 1)
}

/** A step of one order. */
const ofOne = (
  name: string,
  at: number,
  predict: (shop: ShopModel, order: OrderModel) => Outcome,
  act: (order: string, shop: Shop, model: ShopModel) => Promise<Outcome>,
): Step =>
  new Step(
    `${name} of ${at}`,
    (model) => {
      const order = model.orders[at]
      return order === undefined ? 'refused' : predict(model, order)
    },
    (shop, model) => act(shop.orders[at] ?? '', shop, model),
  )

const either = fc.integer({ min: 0, max: 1 })

/** The further ones are what an order goes through when it is sold, so that sequences get there. */
const trigger = fc.constantFrom(
  ...Object.keys(triggers),
  '_place',
  '_place',
  '_approve',
  '_capture',
  '_approve_and_capture',
)

const quantities = fc.tuple(either, fc.integer({ min: 0, max: 5 })).map(([at, quantity]) =>
  ofOne(
    `quantity ${quantity}`,
    at,
    (shop, order) =>
      order.quantity === 0 && quantity === 0 ? 'refused' : setQuantity(quantity)(shop, order),
    (order, shop) => writeQuantity(shop, order, quantity),
  ),
)

const orderChanges = fc.tuple(either, fc.constantFrom(...Object.keys(changes))).map(([at, name]) =>
  ofOne(
    name,
    at,
    (shop, order) => changes[name]?.(shop, order) ?? 'refused',
    async (order) => {
      const response = await CHANGES[name]?.(order)
      return response === undefined ? 'refused' : outcomeOf(response)
    },
  ),
)

const triggerStep = (at: number, name: string): Step =>
  ofOne(
    name,
    at,
    (shop, order) => triggers[name]?.(shop, order) ?? 'refused',
    async (order, shop, model) => {
      const outcome = outcomeOf(await send(order, name))
      const isWaiting = model.orders[at]?.status === 'pending' && model.orders[at].isAsync
      if (name === '_place' && outcome === 'done' && isWaiting) shop.waiting.push(at)
      return outcome
    },
  )

const orderTriggers = fc.tuple(either, trigger).map(([at, name]) => triggerStep(at, name))

/** What an order has gone through when a sequence begins, so that sequences get everywhere. */
const pasts = fc.constantFrom<readonly string[]>(
  [],
  ['_place'],
  ['_place', '_start_editing'],
  ['_place', '_approve'],
  ['_place', '_approve', '_capture'],
  ['_place', '_approve_and_capture', '_fulfill'],
  ['_authorize'],
)

const parts = fc
  .tuple(either, fc.integer({ min: 1, max: 2_500 }), fc.boolean())
  .map(([at, cents, isCapture]) =>
    ofOne(
      `${isCapture ? 'capture' : 'refund'} ${cents}`,
      at,
      (isCapture ? capturePart : refundPart)(cents),
      (order) =>
        isCapture
          ? movePart(
              order,
              { type: 'authorizations', trigger: '_capture', balance: 'capture_balance_cents' },
              cents,
            )
          : movePart(order, { type: 'captures', trigger: '_refund', balance: 'refund_balance_cents' }, cents),
    ),
  )

const shipping = either.map((at) => ofOne('ship', at, shipAll, sendShipments))

const reserving = either.map((at) =>
  ofOne(
    'reserve',
    at,
    (shop, order) => (order.quantity === 0 ? 'refused' : reserveLine(shop, order)),
    async (order) => {
      const line = await lineOf(order)
      return line === undefined
        ? 'refused'
        : outcomeOf(await change(core.tokens.admin, line, { _reserve_stock: true }))
    },
  ),
)

/** A merchant counts a location again, and never less than is promised there. */
const counting = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 6 })).map(
  ([location, more]) =>
    new Step(
      `${more} more in ${location} than reserved`,
      () => 'done',
      async (shop, model) => {
        const { rows } = await core.pool.query<{ id: number; quantity: number; reserved: number }>(
          `SELECT items.id::int, items.quantity, coalesce(reserved.quantity, 0)::int AS reserved FROM stock_items AS items
            LEFT JOIN reserved_stocks AS reserved ON reserved.stock_item_id = items.id
            WHERE items.sku_id = $1 AND stock_location_id = $2`,
          [shop.sku, location],
        )
        const { id: number = 0, quantity: before = 0, reserved = 0 } = rows[0] ?? {}
        const quantity = reserved + more
        model.onHand += quantity - before
        const id = encodeId('stock_items', number)
        const data = { type: 'stock_items', id, attributes: { quantity } }
        return outcomeOf(await core.send('PATCH', `/api/stock_items/${id}`, core.tokens.admin, { data }))
      },
    ),
)

const waiting = fc.integer({ min: 1, max: 4_000 }).map(
  (seconds) =>
    new Step(
      `${seconds} s pass`,
      (model, shop) => {
        placeLater(
          model,
          shop.waiting.flatMap((at) => model.orders[at] ?? []),
        )
        shop.waiting = []
        passTime(model, seconds)
        return 'done'
      },
      async () => {
        await core.jobs.runUntilIdle()
        core.clock.advance(seconds)
        await renewToken()
        await core.jobs.enqueue(expireReservations, {}, runOn(core.pool))
        await core.jobs.runUntilIdle()
        return 'done'
      },
    ),
)

/** With this many units, everything that it needs to be placed, or with none an empty order of somebody. */
const beginOrder = async (shop: Shop, model: ShopModel, at: number, quantity: number): Promise<void> => {
  const order = await draft({ customer_email: `model-${shop.sku}-${at}@example.com` })
  const expected = newOrder()
  const events = new Map([['orders.draft', 1]])
  shop.orders.push(order)
  shop.events.push(events)
  model.orders.push(expected)
  if (quantity === 0 || setQuantity(quantity)(model, expected) === 'refused') return
  events.set('orders.pending', 1)
  expect(await writeQuantity(shop, order, quantity)).toBe('done')
  attributesOf(await changeOrder(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) }))
  await pay(order)
  Object.assign(expected, { isAddressed: true, hasMethod: true, hasSource: true })
}

test(`of ${SEQUENCES} sequences of requests each is answered as predicted, and the books agree after every step`, async () => {
  const commands = fc.commands(
    [
      quantities,
      orderChanges,
      orderTriggers,
      orderTriggers,
      orderTriggers,
      parts,
      shipping,
      reserving,
      counting,
      waiting,
    ],
    { maxCommands: COMMANDS_MAX, size: 'max' },
  )
  const begins = fc.record({
    unitCents: fc.constantFrom(1_000, 1_000, 1_000, 0),
    stock: fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })),
    ready: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })),
    past: fc.tuple(pasts, pasts),
  })
  await fc.assert(
    fc.asyncProperty(begins, commands, async ({ unitCents, stock, ready, past }, steps) => {
      const shop = await openShop(unitCents, stock)
      const model: ShopModel = { unitCents, now: 0, onHand: stock[0] + stock[1], orders: [] }
      for (const [at, quantity] of ready.entries()) await beginOrder(shop, model, at, quantity)
      await expectBooks(core.pool, model, shop)
      for (const [at, names] of past.entries())
        for (const name of names) await triggerStep(at, name).run(model, shop)
      await fc.asyncModelRun(() => ({ model, real: shop }), steps)
    }),
    { numRuns: SEQUENCES, seed: SEED },
  )
  process.stderr.write(`joint states reached: ${reached.size} of ${JOINT.size}\n`)
}, 3_600_000)
