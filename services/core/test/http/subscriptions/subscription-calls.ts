/** A market that sells subscriptions, orders of it, and time that jumps. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { systemClock } from '@merx/telemetry/clock'
import { alertRenewals } from '../../../src/subscriptions/jobs/alert-renewals.ts'
import { runDue } from '../../../src/subscriptions/jobs/run-due.ts'
import { listOf, NOW, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one, orderCalls } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { paymentCalls } from '../support/payment-calls.ts'
import { runNow } from '../support/run-now.ts'

/** Of core alone, so that tokens do not expire when it jumps: an override of openCore. */
export const jumpingClock = () => {
  let now = new Date(NOW)
  return {
    clock: { ...systemClock, now: () => new Date(now) },
    jumpTo: (text: string): void => {
      now = new Date(text)
    },
  }
}

export const subscriptionCalls = (core: () => TestCore) => {
  const { draft, add, changeOrder } = orderCalls(core)
  const { ok, pay, freeShipping } = paymentCalls(core)

  const post = async (type: string, attributes: Body, relationships: Body = {}): Promise<string> =>
    singleOf(
      await core().send('POST', `/api/${type}`, core().tokens.admin, {
        data: { type, attributes, relationships },
      }),
    ).data.id

  const change = (type: string, id: string, attributes: Body, relationships: Body = {}) =>
    core().send('PATCH', `/api/${type}/${id}`, core().tokens.admin, {
      data: { type, id, attributes, relationships },
    })

  const read = async (type: string, id: string) =>
    singleOf(await core().get(`/api/${type}/${id}`, core().tokens.admin)).data.attributes

  const related = async (type: string, id: string, name: string) =>
    listOf(await core().get(`/api/${type}/${id}/${name}?page[size]=25&sort=created_at`, core().tokens.admin))
      .data

  /** With goods of these frequencies, addresses, method and source. */
  const payable = async (lines: readonly Body[]): Promise<string> => {
    const order = await draft({ customer_email: 'ada@example.com' })
    for (const line of lines)
      ok(await add(core().tokens.admin, order, { sku_code: 'SKU-A', quantity: 1, ...line }))
    const links = {
      shipping_address: one('addresses', 1),
      billing_address: one('addresses', 1),
      payment_method: one('payment_methods', 1),
    }
    ok(await changeOrder(order, {}, links))
    ok(await pay(order))
    return order
  }

  return {
    post,
    change,
    read,
    related,
    payable,
    ok,
    /** The market eu offers these, and shipping costs nothing; there is stock for years. */
    offer: async (frequencies: readonly string[], attributes: Body = {}): Promise<string> => {
      await freeShipping()
      await core().pool.query('DELETE FROM jobs.job; UPDATE stock_items SET quantity = 100000')
      const model = await post('subscription_models', { name: 'Coffee', frequencies, ...attributes })
      ok(
        await change(
          'markets',
          encodeId('markets', 1),
          {},
          { subscription_model: linkTo('subscription_models', model) },
        ),
      )
      return model
    },
    /** A placed order with its subscriptions; the payment source is kept in the wallet. */
    subscribe: async (
      lines: readonly Body[],
    ): Promise<{ order: string; subscriptions: readonly string[] }> => {
      const order = await payable(lines)
      ok(
        await changeOrder(order, {
          _place: true,
          _save_payment_source_to_customer_wallet: true,
          _create_subscriptions: true,
        }),
      )
      return {
        order,
        subscriptions: (await related('orders', order, 'order_subscriptions')).map(({ id }) => id),
      }
    },
    /** What the minutes would do. */
    runJobs: async (): Promise<void> => {
      await runNow(core(), alertRenewals)
      await runNow(core(), runDue)
    },
    eventsOf: async (type: string, id: string): Promise<readonly string[]> => {
      const { rows } = await core().pool.query<{ name: string }>(
        'SELECT name FROM events WHERE resource_type = $1 AND record_id = $2 ORDER BY id',
        [type, decodeId(type.endsWith('order_copies') ? 'order_factories' : type, id)],
      )
      return rows.map(({ name }) => name.slice(type.length + 1))
    },
    /** Statuses of the orders that subscriptions made, oldest first. */
    madeOrders: async (): Promise<readonly string[]> => {
      const { rows } = await core().pool.query<{ status: string }>(
        'SELECT status FROM orders WHERE order_subscription_id IS NOT NULL ORDER BY id',
      )
      return rows.map(({ status }) => status)
    },
  }
}
