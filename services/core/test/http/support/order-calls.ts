/** Requests about orders and their lines, and what their answers say. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

export type Body = Readonly<Record<string, unknown>>
export type Response = Awaited<ReturnType<TestCore['send']>>

/** Linkage to a row by its number. */
export const one = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
export const linkTo = (type: string, id: string) => ({ data: { type, id } })

export const attributesOf = (response: Response) => singleOf(response).data.attributes

/** Status, pointer and machine key of every error. */
export const at = (response: Response) =>
  errorsOf(response).map(({ status, source, meta }) => [status, source?.pointer, meta?.['error']])

/** `core` is asked for at each call, because suites open it before their tests. */
export const orderCalls = (core: () => TestCore) => {
  const begin = async (token: string, attributes: Body = {}, relationships: Body = {}): Promise<string> =>
    singleOf(
      await core().send('POST', '/api/orders', token, {
        data: { type: 'orders', attributes, relationships },
      }),
    ).data.id
  return {
    begin,
    /** Of the market eu. */
    draft: (attributes: Body = {}) => begin(core().tokens.admin, attributes, { market: one('markets', 1) }),
    add: (token: string, order: string, attributes: Body, relationships: Body = {}, query = '') =>
      core().send('POST', `/api/line_items${query}`, token, {
        data: {
          type: 'line_items',
          attributes,
          relationships: { order: linkTo('orders', order), ...relationships },
        },
      }),
    change: (token: string, id: string, attributes: Body) =>
      core().send('PATCH', `/api/line_items/${id}`, token, { data: { type: 'line_items', id, attributes } }),
    changeOrder: (id: string, attributes: Body, relationships: Body = {}) =>
      core().send('PATCH', `/api/orders/${id}`, core().tokens.admin, {
        data: { type: 'orders', id, attributes, relationships },
      }),
    remove: (token: string, id: string) => core().send('DELETE', `/api/line_items/${id}`, token),
    orderOf: async (id: string, token = core().tokens.admin) =>
      attributesOf(await core().get(`/api/orders/${id}`, token)),
    /** What no request can do. */
    setOrder: (id: string, columns: string) =>
      core().pool.query(`UPDATE orders SET ${columns} WHERE id = $1`, [decodeId('orders', id)]),
  }
}

/** Orders on their way: everything up to `_place` with a bank transfer, and triggers. In the market eu, with its first addresses. */
export const checkoutCalls = (core: () => TestCore) => {
  const { draft, add, changeOrder } = orderCalls(core)
  const send = (order: string, trigger: string, token = core().tokens.admin) =>
    core().send('PATCH', `/api/orders/${order}`, token, {
      data: { type: 'orders', id: order, attributes: { [trigger]: true } },
    })
  const pay = async (order: string): Promise<void> => {
    const relationships = { order: linkTo('orders', order) }
    const data = { type: 'wire_transfers', attributes: {}, relationships }
    singleOf(await core().send('POST', '/api/wire_transfers', core().tokens.admin, { data }))
  }
  const cart = async (code: string, quantity: number, attributes: Body = {}): Promise<string> => {
    const order = await draft({ customer_email: 'ada@example.com', ...attributes })
    singleOf(await add(core().tokens.admin, order, { sku_code: code, quantity }))
    return order
  }
  return {
    send,
    pay,
    cart,
    /** Everything but `_place`. */
    payable: async (code = 'SKU-A', quantity = 2, attributes: Body = {}): Promise<string> => {
      const order = await cart(code, quantity, attributes)
      singleOf(await changeOrder(order, {}, { ...ADDRESSES, payment_method: one('payment_methods', 1) }))
      await pay(order)
      return order
    },
    /** The three statuses after the last of the triggers, each of which must succeed. */
    move: async (order: string, ...triggers: readonly string[]): Promise<readonly unknown[]> => {
      let statuses: readonly unknown[] = []
      for (const trigger of triggers) statuses = statusesOf(await send(order, trigger))
      return statuses
    },
  }
}

export const ADDRESSES = {
  shipping_address: one('addresses', 1),
  billing_address: one('addresses', 1),
}

export const statusesOf = (response: Response): readonly unknown[] => {
  const attributes = attributesOf(response)
  return ['status', 'payment_status', 'fulfillment_status'].map((name) => attributes[name])
}

/** Shipping for the market eu, which an order needs to be placed. */
export const WITH_SHIPPING = `
  INSERT INTO shipping_methods (id, environment_id, name, currency_code, price_amount_cents)
    VALUES (1, 1, 'Post', 'EUR', 700);
  UPDATE markets SET default_shipping_method_id = 1 WHERE id = 1 AND environment_id = 1`
