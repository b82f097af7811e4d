/** Requests that make returns of orders that were shipped. */
import { listOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { attributesOf, linkTo, orderCalls } from './order-calls.ts'
import type { Body, Response } from './order-calls.ts'
import { paymentCalls } from './payment-calls.ts'

/** Returns to market eu go to location 1. */
export const WITH_RETURNS = `
  INSERT INTO inventory_return_locations (id, environment_id, priority, inventory_model_id, stock_location_id)
    VALUES (1, 1, 2, 1, 3), (2, 1, 1, 1, 1)`

export const returnCalls = (core: () => TestCore) => {
  const { payable, patch, ok } = paymentCalls(core)
  const { changeOrder } = orderCalls(core)
  const admin = () => core().tokens.admin

  const post = (type: string, attributes: Body, relationships: Body, token = admin()): Promise<Response> =>
    core().send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

  const linesOf = async (order: string) =>
    listOf(await core().get(`/api/orders/${order}/line_items?filter[q][item_type_eq]=skus`, admin())).data

  /** Two pieces of SKU-A for 10,000, paid; so far as the triggers say. */
  const bought = async (...triggers: readonly string[]): Promise<string> => {
    const order = await payable()
    for (const trigger of triggers) ok(await changeOrder(order, { [trigger]: true }))
    return order
  }

  const begin = async (order: string, attributes: Body = {}, relationships: Body = {}): Promise<string> =>
    singleOf(await post('returns', attributes, { order: linkTo('orders', order), ...relationships })).data.id

  const addTo = (id: string, line: string, quantity: number, token = admin(), attributes: Body = {}) =>
    post(
      'return_line_items',
      { quantity, ...attributes },
      { return: linkTo('returns', id), line_item: linkTo('line_items', line) },
      token,
    )

  const change = (
    id: string,
    attributes: Body,
    token = admin(),
    relationships: Body = {},
  ): Promise<Response> =>
    core().send('PATCH', `/api/returns/${id}`, token, {
      data: { type: 'returns', id, attributes, relationships },
    })

  const move = async (id: string, ...triggers: readonly string[]): Promise<unknown> => {
    let status: unknown
    for (const trigger of triggers) status = attributesOf(await change(id, { [trigger]: true }))['status']
    return status
  }

  return {
    post,
    patch,
    linesOf,
    bought,
    fulfilled: () => bought('_place', '_approve_and_capture', '_fulfill'),
    begin,
    addTo,
    change,
    move,
    /** With so many of the first line. */
    draftOf: async (order: string, quantity = 1): Promise<string> => {
      const id = await begin(order)
      const [line] = await linesOf(order)
      singleOf(await addTo(id, line?.id ?? '', quantity))
      return id
    },
    returnOf: async (id: string) => attributesOf(await core().get(`/api/returns/${id}`, admin())),
    shipmentsOf: async (order: string) =>
      listOf(await core().get(`/api/orders/${order}/shipments`, admin())).data.map(({ id }) => id),
    stockAt: async (location: number, sku: string): Promise<unknown> => {
      const { rows } = await core().pool.query<{ quantity: number }>(
        'SELECT quantity FROM stock_items WHERE environment_id = 1 AND stock_location_id = $1 AND sku_code = $2',
        [location, sku],
      )
      return rows[0]?.quantity
    },
  }
}
