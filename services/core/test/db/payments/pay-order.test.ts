/** What other areas do with the money of an order, written as a write would write it (docs/adr/0079). */
import type { Row } from '@merx/jsonapi/attributes'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../../src/areas.ts'
import { runIn } from '../../../src/engine/database/run-statement.ts'
import { createRegistry } from '../../../src/engine/registry.ts'
import { persist } from '../../../src/engine/write/persist.ts'
import { lockOrder } from '../../../src/payments/lock-order.ts'
import {
  authorizeOrder,
  captureOrder,
  giveBackPayment,
  refundOrder,
  voidOrder,
} from '../../../src/payments/pay-order.ts'
import type { PaymentPlan, PaymentStep } from '../../../src/payments/payment.ts'
import { openCoreDatabase } from '../support/core-database.ts'
import type { CoreDatabase } from '../support/core-database.ts'
import { createSmallShop, insert } from '../support/small-shop.ts'
import type { SmallShop } from '../support/small-shop.ts'

const registry = createRegistry(areas, { ids: testIds })
const now = new Date('2026-11-25T12:00:00.000Z')

let core: CoreDatabase
let shop: SmallShop
let gateway: number

beforeAll(async () => {
  core = await openCoreDatabase('pay_order', 10)
  shop = await createSmallShop(core.database)
  const environment_id = shop.environmentId
  gateway = await insert(core.database, 'payment_gateways', {
    environment_id,
    type: 'manual_gateways',
    name: 'Manual',
  })
})
afterAll(() => core.drop())

const method = (columns: Row = {}) =>
  insert(core.database, 'payment_methods', {
    environment_id: shop.environmentId,
    name: 'Transfer',
    payment_source_type: 'wire_transfers',
    currency_code: 'EUR',
    price_amount_cents: 0,
    payment_gateway_id: gateway,
    ...columns,
  })

/** A pending order with a wire transfer. */
const orderOf = async (due: number, methodColumns: Row = {}): Promise<number> => {
  const environment_id = shop.environmentId
  const order_id = await insert(core.database, 'orders', {
    environment_id,
    market_id: shop.marketId,
    currency_code: 'EUR',
    status: 'pending',
    total_amount_with_taxes_cents: due,
    payment_method_id: await method(methodColumns),
  })
  const source = await insert(core.database, 'wire_transfers', { environment_id, order_id })
  await core.database.query(
    "UPDATE orders SET payment_source_type = 'wire_transfers', payment_source_id = $2 WHERE id = $1",
    [order_id, source],
  )
  return order_id
}

type Plan = (order: Row, step: PaymentStep) => Promise<PaymentPlan>

/** Plans under the lock of the order, and writes the plan. */
const act = (order: number, plan: Plan): Promise<PaymentPlan> =>
  core.database.transaction(async (transaction) => {
    const run = runIn(transaction)
    const scope = {
      environmentId: shop.environmentId,
      organizationId: shop.organizationId,
      mode: 'test' as const,
    }
    const step = { run, registry, scope, now }
    const before = await lockOrder('$2', order, step)
    if (before === undefined) throw new Error('there is no such order')
    const planned = await plan(before, step)
    const { set: columns, topics, writes } = planned
    const definition = registry.require('orders')
    const actor = { application: null, owner: null }
    await persist([{ definition, before, columns, topics }, ...writes], {
      run,
      registry,
      environmentId: shop.environmentId,
      actor,
    })
    return planned
  })

const authorize = (order: number, options: { amountCents?: number; isPlacing?: boolean } = {}) =>
  act(order, (row, step) => authorizeOrder(row, { isPlacing: false, ...options }, step))

const statusOf = async (order: number) => {
  const [row] = await core.database.query<Row>('SELECT payment_status FROM orders WHERE id = $1', [order])
  return row?.['payment_status']
}

const movementsOf = async (order: number) => {
  const rows = await core.database.query<Row>(
    `SELECT type, amount_cents, right(number, 6) AS number, capture_balance_cents, void_balance_cents, refund_balance_cents
     FROM transactions WHERE order_id = $1 ORDER BY id`,
    [order],
  )
  return rows.map((row) => Object.values(row))
}

describe('an order with a manual method', () => {
  it('is authorized, captured and refunded, and each repetition plans nothing', async () => {
    const order = await orderOf(1_000)
    const { topics } = await authorize(order)
    expect([topics, await statusOf(order)]).toEqual([['orders.authorize'], 'authorized'])
    expect(await movementsOf(order)).toEqual([['authorizations', 1_000, '/T/001', 1_000, 1_000, 0]])
    const captured = await act(order, captureOrder)
    expect([captured.topics, captured.set['payment_updated_at']]).toEqual([['orders.pay'], now])
    const refunded = await act(order, refundOrder)
    expect([refunded.topics, refunded.set['payment_status']]).toEqual([['orders.refund'], 'refunded'])
    for (const plan of [captureOrder, refundOrder, voidOrder, giveBackPayment])
      expect(await act(order, plan)).toEqual({ violations: [], set: {}, topics: [], writes: [] })
    expect(await movementsOf(order)).toEqual([
      ['authorizations', 1_000, '/T/001', 0, 0, 0],
      ['captures', 1_000, '/T/002', 0, 0, 0],
      ['refunds', 1_000, '/T/003', 0, 0, 0],
    ])
  })

  it('authorizes up to an amount, then the rest when it is placed', async () => {
    const order = await orderOf(1_000)
    await authorize(order, { amountCents: 300 })
    expect(await statusOf(order)).toBe('partially_authorized')
    expect((await authorize(order, { amountCents: 300 })).writes).toEqual([])
    await authorize(order, { isPlacing: true })
    expect(await statusOf(order)).toBe('authorized')
    expect((await authorize(order, { isPlacing: true })).writes).toEqual([])
    expect((await movementsOf(order)).map(([, amount]) => amount)).toEqual([300, 700])
    const { topics } = await act(order, voidOrder)
    expect([topics, await statusOf(order)]).toEqual([['orders.void'], 'voided'])
  })

  it.each([
    [0, 'greater_than_or_equal_to'],
    [1_001, 'less_than_or_equal_to'],
  ])('refuses to authorize %d of 1000', async (amountCents, error) => {
    const { violations, writes } = await authorize(await orderOf(1_000), { amountCents })
    expect(violations).toMatchObject([{ error, message: 'must be between 1 and 1000, the amount due' }])
    expect(writes).toEqual([])
  })

  it('is free when nothing is due and it is placed', async () => {
    const order = await orderOf(0)
    expect((await authorize(order)).set).toEqual({})
    await authorize(order, { isPlacing: true })
    expect([await statusOf(order), await movementsOf(order)]).toEqual(['free', []])
    expect((await act(order, captureOrder)).violations).toEqual([])
  })

  it.each([
    [null, 'paid'],
    [1_000, 'paid'],
    [999, 'authorized'],
  ])('is captured at once up to %s', async (auto_capture_max_amount_cents, status) => {
    const order = await orderOf(1_000, { auto_capture: true, auto_capture_max_amount_cents })
    const { topics } = await authorize(order, { isPlacing: true })
    expect(await statusOf(order)).toBe(status)
    expect(topics).toEqual(status === 'paid' ? ['orders.authorize', 'orders.pay'] : ['orders.authorize'])
  })

  it('is not placed with more authorized than is due', async () => {
    const order = await orderOf(1_000)
    await authorize(order)
    await core.database.query('UPDATE orders SET total_amount_with_taxes_cents = 400 WHERE id = $1', [order])
    const { violations } = await authorize(order, { isPlacing: true })
    expect(violations).toMatchObject([{ error: 'mismatched_amounts', value: 1_000, count: 400 }])
  })

  it('captures and refunds nothing that was never authorized', async () => {
    const order = await orderOf(1_000)
    const messages = [captureOrder, refundOrder].map(async (plan) => (await act(order, plan)).violations)
    expect((await Promise.all(messages)).flat().map(({ message }) => message)).toEqual([
      'cannot transition from unpaid to paid',
      'cannot transition from unpaid to refunded',
    ])
    expect((await act(order, giveBackPayment)).set).toEqual({})
  })

  it('gives back what is captured and what is authorized', async () => {
    const order = await orderOf(1_000)
    await authorize(order, { amountCents: 300 })
    await act(order, captureOrder)
    expect(await statusOf(order)).toBe('partially_paid')
    await act(order, giveBackPayment)
    expect(await statusOf(order)).toBe('refunded')
  })

  it('captures what the same request authorizes', async () => {
    const order = await orderOf(1_000)
    await act(order, async (row, step) => {
      const first = await authorizeOrder(row, { isPlacing: true }, step)
      const second = await captureOrder({ ...row, ...first.set }, step, first.writes)
      return { ...second, writes: [...first.writes, ...second.writes] }
    })
    expect(await movementsOf(order)).toEqual([
      ['authorizations', 1_000, '/T/001', 0, 0, 0],
      ['captures', 1_000, '/T/002', 0, 0, 1_000],
    ])
  })
})

describe('an order cannot be authorized', () => {
  it.each([
    ['without a method', { payment_method_id: null }, 'payment_method', 'blank'],
    ['without a source', { payment_source_id: null }, 'payment_source', 'blank'],
    ['with another source', { payment_source_type: 'stripe_payments' }, 'payment_source', 'invalid'],
  ])('%s', async (_case, columns, relationship, error) => {
    const order = await orderOf(1_000)
    const { violations } = await act(order, (row, step) =>
      authorizeOrder({ ...row, ...columns }, { isPlacing: false }, step),
    )
    expect(violations).toMatchObject([{ at: { relationship }, error }])
  })

  it('with a gateway that is not called yet', async () => {
    const payment_gateway_id = await insert(core.database, 'payment_gateways', {
      environment_id: shop.environmentId,
      type: 'external_gateways',
      name: 'Elsewhere',
    })
    const { violations } = await authorize(await orderOf(1_000, { payment_gateway_id }))
    expect(violations).toMatchObject([{ error: 'not_supported' }])
  })
})

describe('the ledger', () => {
  const paid = async (): Promise<number> => {
    const order = await orderOf(1_000)
    await authorize(order)
    await act(order, captureOrder)
    return order
  }

  it.each([
    ['an amount', "SET amount_cents = 1 WHERE type = 'captures'", 'never changes'],
    ['an order', "SET order_id = order_id + 1 WHERE type = 'captures'", 'never changes'],
    ['a success', "SET succeeded = false WHERE type = 'captures'", 'never changes'],
    ['a sum', "SET refund_amount_cents = 5 WHERE type = 'captures'", 'not those of what refers to it'],
    ['a negative balance', "SET capture_amount_cents = 1001 WHERE type = 'authorizations'", 'balances_check'],
  ])('refuses to change %s', async (_case, change, message) => {
    const order = await paid()
    await expect(
      core.database.query(`UPDATE transactions ${change} AND order_id = $1`, [order]),
    ).rejects.toThrow(message)
  })

  it('deletes nothing but with its environment', async () => {
    const order = await paid()
    const remove = 'DELETE FROM transactions WHERE order_id = $1'
    await expect(core.database.query(remove, [order])).rejects.toThrow('are never deleted')
    await core.database.transaction(async (transaction) => {
      await transaction.query(`SET LOCAL merx.deleted_environment = '${shop.environmentId}'`)
      await transaction.query(remove, [order])
    })
    expect(await movementsOf(order)).toEqual([])
  })

  it('captures once when two transactions try at the same time', async () => {
    const order = await orderOf(1_000)
    await authorize(order)
    await Promise.all(Array.from({ length: 8 }, () => act(order, captureOrder)))
    expect((await movementsOf(order)).map(([type]) => type)).toEqual(['authorizations', 'captures'])
  })
})
