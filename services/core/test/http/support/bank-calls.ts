/** A shop with an external gateway: the bank of the examples, connected to core. One per test. */
import { decodeId } from '@merx/jsonapi/fixtures/ids'
import { openBank } from '../../../../../examples/bank/bank.mjs'
import type { Bank } from '../../../../../examples/bank/bank.mjs'
import { findAttempts } from '../../../src/payments/outside/recover.ts'
import { singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one, orderCalls } from './order-calls.ts'
import type { Body } from './order-calls.ts'
import { paymentCalls } from './payment-calls.ts'

/** What core needs to call a bank on this machine. */
export const LOCAL = { OUTSIDE_ALLOWED_NETWORKS: '127.0.0.0/8' }

export interface Shop {
  readonly bank: Bank
  /** Id of the external gateway. */
  readonly gateway: string
  readonly secret: string
}

interface TransactionSeen {
  readonly type: string
  readonly cents: number
  readonly succeeded: boolean
  readonly error_code: string | null
  readonly attempt: string | null
}

export const bankCalls = (core: () => TestCore, shop: () => Shop) => {
  const { payable, ok } = paymentCalls(core)
  const { changeOrder } = orderCalls(core)

  const create = (type: string, attributes: Body, relationships: Body = {}) =>
    core().send('POST', `/api/${type}`, core().tokens.admin, { data: { type, attributes, relationships } })

  return {
    create,
    openShop: async (): Promise<Shop> => {
      const bank = await openBank({ secret: '' })
      const urls = ['authorize', 'capture', 'void', 'refund', 'token'].map((name) => [
        `${name}_url`,
        `${bank.url}/${name}`,
      ])
      const attributes: Body = { name: 'Own', ...(Object.fromEntries(urls) as Body) }
      const created = singleOf(await create('external_gateways', attributes))
      const secret = String(created.data.attributes['shared_secret'])
      bank.setSecret(secret)
      return { bank, gateway: created.data.id, secret }
    },
    /** An order that is ready to be placed, paid with the bank. */
    cart: async (method: Body = {}): Promise<string> => {
      const order = await payable()
      const attributes = { payment_source_type: 'external_payments', price_amount_cents: 0, ...method }
      const payment_gateway = linkTo('external_gateways', shop().gateway)
      const created = await create('payment_methods', attributes, {
        market: one('markets', 1),
        payment_gateway,
      })
      ok(await changeOrder(order, { _nullify_payment_source: true }))
      const payment_method = linkTo('payment_methods', singleOf(created).data.id)
      ok(await changeOrder(order, {}, { payment_method }))
      const source = { payment_source_token: 'tok_1' }
      ok(await create('external_payments', source, { order: linkTo('orders', order) }))
      return order
    },
    /** There is what the order wants of its SKUs, and no more. */
    stockOnly: async (order: string): Promise<void> => {
      await core().pool.query(
        `UPDATE stock_items SET quantity = (SELECT sum(quantity) FROM line_items WHERE order_id = $1 AND item_type = 'skus')
          WHERE sku_id IN (SELECT item_id FROM line_items WHERE order_id = $1 AND item_type = 'skus')`,
        [decodeId('orders', order)],
      )
    },
    /** What the counters of stock say is reserved, and what the reservations are. */
    countedAndReserved: async () => {
      const { rows } = await core().pool.query<{ readonly counted: number; readonly reserved: number }>(
        `SELECT (SELECT coalesce(sum(quantity), 0)::int FROM reserved_stocks) AS counted,
          (SELECT coalesce(sum(quantity), 0)::int FROM stock_reservations) AS reserved`,
      )
      return rows[0]
    },
    booked: () => shop().bank.book.map(({ name, amount_cents }) => [name, amount_cents]),
    transactionsOf: async (order: string): Promise<readonly TransactionSeen[]> => {
      const { rows } = await core().pool.query<TransactionSeen>(
        `SELECT type, amount_cents::int AS cents, succeeded, error_code, attempt FROM transactions
          WHERE order_id = $1 ORDER BY id`,
        [decodeId('orders', order)],
      )
      return rows
    },
    /** Topics of the order's transactions, in the order in which they happened. */
    topicsOf: async (order: string): Promise<readonly string[]> => {
      const { rows } = await core().pool.query<{ name: string }>(
        `SELECT events.name FROM events JOIN transactions ON transactions.id = events.record_id
          WHERE events.resource_type = transactions.type AND transactions.order_id = $1 ORDER BY events.id`,
        [decodeId('orders', order)],
      )
      return rows.map(({ name }) => name)
    },
    /** Runs the job that finishes attempts, some time later. */
    recover: async (minutes = 2): Promise<void> => {
      core().clock.advance(minutes * 60)
      await core().jobs.enqueue(
        findAttempts,
        {},
        async ({ text, values }) => (await core().pool.query(text, [...values])).rows as never,
      )
      await core().jobs.runUntilIdle()
    },
  }
}
