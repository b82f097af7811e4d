/** Orders that can be paid, what moves them on, and their transactions. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, listOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one, orderCalls } from './order-calls.ts'
import type { Body, Response } from './order-calls.ts'

/** Two pieces of SKU-A without shipping costs. */
export const WHOLE = 10_000

export const paymentCalls = (core: () => TestCore) => {
  const { draft, add, changeOrder } = orderCalls(core)

  const patch = (type: string, id: string, attributes: Body, token = core().tokens.admin) =>
    core().send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, attributes } })

  const pay = (order: string, token = core().tokens.admin, relationships: Body = {}) =>
    core().send('POST', '/api/wire_transfers', token, {
      data: {
        type: 'wire_transfers',
        attributes: {},
        relationships: { order: linkTo('orders', order), ...relationships },
      },
    })

  const ok = (response: Response): Response => {
    if (response.status >= 300) throw new Error(JSON.stringify(errorsOf(response)))
    return response
  }

  return {
    patch,
    pay,
    ok,
    /** Free of shipping costs, so that it costs WHOLE. */
    freeShipping: async () => {
      await core().pool.query(`
        INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents)
          VALUES (1, 1, 'Post', 'EUR', 0);
        UPDATE markets SET default_shipping_method_id = 1 WHERE id = 1 AND environment_id = 1`)
    },
    /** With goods, addresses, a method and a source. */
    payable: async (method = 1): Promise<string> => {
      const order = await draft({ customer_email: 'ada@example.com' })
      ok(await add(core().tokens.admin, order, { sku_code: 'SKU-A', quantity: 2 }))
      const links = {
        shipping_address: one('addresses', 1),
        billing_address: one('addresses', 1),
        payment_method: one('payment_methods', method),
      }
      ok(await changeOrder(order, {}, links))
      ok(await pay(order))
      return order
    },
    /** The row that `_authorize` of the order would write, or an answer of the gateway still to come. Returns its id. */
    authorizeCart: async (order: string, cents = WHOLE, succeeded = true): Promise<string> => {
      const number = decodeId('orders', order)
      const { rows } = await core().pool.query<{ id: string }>(
        `INSERT INTO transactions (environment_id, type, order_id, number, currency_code, amount_cents, succeeded,
            payment_gateway_id, payment_source_type, payment_source_id)
          SELECT 1, 'authorizations', id, gen_random_uuid(), 'EUR', $2, $3, 1, payment_source_type, payment_source_id
          FROM orders WHERE id = $1 RETURNING id`,
        [number, cents, succeeded],
      )
      const status = cents === WHOLE ? 'authorized' : 'partially_authorized'
      if (succeeded)
        await core().pool.query('UPDATE orders SET payment_status = $2 WHERE id = $1', [number, status])
      return encodeId('transactions', Number(rows[0]?.id))
    },
    /** Sends triggers one after the other. */
    move: async (order: string, ...triggers: readonly string[]): Promise<void> => {
      for (const trigger of triggers) ok(await changeOrder(order, { [trigger]: true }))
    },
    statusesOf: async (order: string) => {
      const { attributes } = singleOf(await core().get(`/api/orders/${order}`, core().tokens.admin)).data
      return [attributes['status'], attributes['payment_status'], attributes['fulfillment_status']]
    },
    /** Ids of the order's transactions of a type, oldest first. */
    idsOf: async (order: string, type: string): Promise<readonly string[]> =>
      listOf(await core().get(`/api/orders/${order}/${type}`, core().tokens.admin)).data.map(({ id }) => id),
    /** Type and amount of every transaction that succeeded. */
    movementsOf: async (order: string) => {
      const { rows } = await core().pool.query<{ type: string; cents: number }>(
        'SELECT type, amount_cents::int AS cents FROM transactions WHERE order_id = $1 AND succeeded ORDER BY id',
        [decodeId('orders', order)],
      )
      return rows.map(({ type, cents }) => [type, cents])
    },
  }
}
