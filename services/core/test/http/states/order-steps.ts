/** Steps of stories about one order, over HTTP: a trigger by its name, or one of these. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { runOn } from '../../../src/engine/database/run-statement.ts'
import { expireReservations } from '../../../src/inventory/reservation-expiry.ts'
import { listOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { ADDRESSES, linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'

export type Step = (order: string, ...words: readonly string[]) => Promise<unknown>

export const orderSteps = (core: () => TestCore) => {
  const { draft, add, changeOrder } = orderCalls(core)
  const { payable, ok, patch, idsOf } = paymentCalls(core)
  const admin = () => core().tokens.admin

  const change = async (order: string, attributes: Body, relationships: Body = {}) =>
    ok(await changeOrder(order, attributes, relationships))

  const setMethod = (columns: string) =>
    core().pool.query(`UPDATE payment_methods SET ${columns} WHERE id = 1`)

  /** The first of the order's transactions that has a balance of the kind, or the one whose number is given, from 1. */
  const moveMoney = async (order: string, type: string, attributes: Body, nth = '1') => {
    const ids = await idsOf(order, type)
    ok(await patch(type, ids[Number(nth) - 1] ?? '', attributes))
  }

  const linesOf = async (order: string): Promise<readonly string[]> =>
    listOf(
      await core().get(`/api/orders/${order}/line_items?filter[q][item_type_eq]=skus`, admin()),
    ).data.map(({ id }) => id)

  const shipmentsOf = async (order: string): Promise<readonly string[]> =>
    listOf(await core().get(`/api/orders/${order}/shipments`, admin())).data.map(({ id }) => id)

  const cents = (name: string, amount: string | undefined) =>
    amount === undefined ? {} : { [name]: Number(amount) }

  const steps: Readonly<Record<string, Step>> = {
    customer: (order) => change(order, { customer_email: 'ada@example.com' }),
    goods: async (order, sku = 'SKU-A', quantity = '2') =>
      ok(await add(admin(), order, { sku_code: sku, quantity: Number(quantity) })),
    'no-goods': async (order) => {
      for (const id of await linesOf(order)) ok(await core().send('DELETE', `/api/line_items/${id}`, admin()))
    },
    quantity: async (order, quantity) => {
      for (const id of await linesOf(order)) ok(await patch('line_items', id, { quantity: Number(quantity) }))
    },
    'no-autorefresh': (order) => change(order, { autorefresh: false }),
    addresses: (order) => change(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) }),
    transfer: async (order) =>
      ok(
        await core().send('POST', '/api/wire_transfers', admin(), {
          data: {
            type: 'wire_transfers',
            attributes: {},
            relationships: { order: linkTo('orders', order) },
          },
        }),
      ),
    later: (order) => change(order, { place_async: true }),
    jobs: () => core().jobs.runUntilIdle(),
    authorize: (order, amount) =>
      change(order, { _authorize: true, ...cents('_authorization_amount_cents', amount) }),
    capture: (order, amount, nth) =>
      moveMoney(
        order,
        'authorizations',
        { _capture: true, ...cents('_capture_amount_cents', amount === 'all' ? undefined : amount) },
        nth,
      ),
    refund: (order, amount, nth) =>
      moveMoney(
        order,
        'captures',
        { _refund: true, ...cents('_refund_amount_cents', amount === 'all' ? undefined : amount) },
        nth,
      ),
    void: (order, nth) => moveMoney(order, 'authorizations', { _void: true }, nth),
    'cancel-authorization': (order, nth) => moveMoney(order, 'authorizations', { _cancel: true }, nth),
    'cancel-capture': (order, nth) => moveMoney(order, 'captures', { _cancel: true }, nth),
    /** What a merchant sets. */
    'auto-capture': () => setMethod('auto_capture = true, auto_capture_max_amount_cents = 1000000'),
    'no-auto-capture': () => setMethod('auto_capture = false'),
    'no-capture-needed': () => setMethod('require_capture = false'),
    'nothing-shipped': () => core().pool.query('UPDATE skus SET do_not_ship = true WHERE id = 1'),
    'for-nothing': () => core().pool.query('UPDATE prices SET amount_cents = 0'),
    ship: async (order) => {
      for (const id of await shipmentsOf(order))
        for (const trigger of ['_packing', '_ready_to_ship', '_ship'])
          ok(await patch('shipments', id, { [trigger]: true }))
    },
    shipments: async (order, trigger = '') => {
      for (const id of await shipmentsOf(order)) ok(await patch('shipments', id, { [trigger]: true }))
    },
    'from-primary': () =>
      core().pool.query("UPDATE inventory_models SET strategy = 'ship_from_primary' WHERE id = 1"),
    'held-transfers': () =>
      core().pool.query('UPDATE inventory_models SET put_stock_transfers_on_hold = true WHERE id = 1'),
    'held-locations': () =>
      core().pool.query('UPDATE inventory_stock_locations SET on_hold = true WHERE environment_id = 1'),
    expire: () => core().jobs.enqueue(expireReservations, {}, runOn(core().pool)),
  }

  /** An import starts no transition: it brings the states that an order had elsewhere. */
  const bring = async (status: string, payment: string): Promise<string> => {
    const input = {
      number: 'OLD-1',
      status,
      payment_status: payment,
      placed_at: '2026-01-01T00:00:00Z',
      customer_email: 'ada@example.com',
      line_items: [{ sku_code: 'SKU-A', quantity: 2, unit_amount_cents: 5_000 }],
    }
    const job = { resource_type: 'orders', parent_resource_id: encodeId('markets', 1), inputs: [input] }
    const data = { type: 'imports', attributes: job }
    ok(await core().send('POST', '/api/imports', admin(), { data }))
    await core().jobs.runUntilIdle()
    return listOf(await core().get('/api/orders?filter[q][number_eq]=OLD-1', admin())).data[0]?.id ?? ''
  }

  return {
    /**
     * A story begins with a cart that can be placed, which costs 10,000 (`payable`), with an empty one (`empty`), or with an order of
     * another shop (`imported placed paid`), which costs as much.
     */
    begin: (text: string): Promise<string> => {
      const [beginning, status = '', payment = ''] = text.split(' ')
      if (beginning === 'imported') return bring(status, payment)
      return beginning === 'payable' ? payable() : draft()
    },
    /** `capture 4000` is the step `capture` with what follows it. */
    take: async (order: string, text: string): Promise<void> => {
      const [name = '', ...words] = text.split(' ')
      if (name.startsWith('_')) await change(order, { [name]: true })
      else {
        const step = steps[name]
        if (step === undefined) throw new Error(`no step is called ${name}`)
        await step(order, ...words)
      }
    },
    numberOf: (order: string): number => decodeId('orders', order) ?? 0,
  }
}
