import { accessToken, connect } from '../support/connect.ts'
import type { Mode } from '../support/demo.ts'

/** The code of a SKU that the first market ships and has in stock. */
export const findSku = async (mode: Mode): Promise<string> => {
  const shop = await accessToken('sales_channel', { mode })
  const { data } = await connect().collection('skus', {
    token: shop,
    query: { 'filter[q][do_not_ship_true]': 'false', 'page[size]': 25 },
  })
  for (const { id, attributes } of data) {
    const reply = await connect().core(`skus/${id}`, { token: shop })
    const inventory = reply.json<{ data: { attributes: { inventory?: { available?: boolean } } } }>().data
      .attributes.inventory
    if (inventory?.available === true) return String(attributes['code'])
  }
  throw new Error('the shop has no SKU in stock')
}
