/** Requests that make bundles, and the stock of a shop that sells them. */
import { errorsOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one } from './order-calls.ts'
import type { Body, Response } from './order-calls.ts'

/** SKU code → units in one bundle. */
export type Contents = Readonly<Record<string, number>>

/** Two black shirts, a white one, and a hat that is not tracked: 2 × 5000 + 4000 + 1500 = 15,500. */
export const OUTFIT: Contents = { 'SKU-A': 2, 'SKU-B': 1, 'SKU-D': 1 }

export const bundleCalls = (core: () => TestCore) => {
  const admin = () => core().tokens.admin

  const create = (
    type: string,
    attributes: Body,
    relationships: Body = {},
    token = admin(),
  ): Promise<Response> =>
    core().send('POST', `/api/${type}`, token, { data: { type, attributes, relationships } })

  const listOfSkus = async (contents: Contents, attributes: Body = {}): Promise<string> => {
    const list = singleOf(await create('sku_lists', { name: 'Outfit', ...attributes })).data.id
    for (const [sku_code, quantity] of Object.entries(contents)) {
      const item = await create(
        'sku_list_items',
        { sku_code, quantity },
        { sku_list: linkTo('sku_lists', list) },
      )
      if (item.status !== 201) throw new Error(JSON.stringify(errorsOf(item)))
    }
    return list
  }

  /** Of the market eu, unless the relationships say otherwise. */
  const makeOf = (list: string, attributes: Body = {}, relationships: Body = {}): Promise<Response> =>
    create(
      'bundles',
      { code: 'OUTFIT', name: 'Outfit', price_amount_cents: 12_000, ...attributes },
      { market: one('markets', 1), sku_list: linkTo('sku_lists', list), ...relationships },
    )

  return {
    create,
    listOfSkus,
    makeOf,
    /** Its id. */
    bundleOf: async (contents: Contents = OUTFIT, attributes: Body = {}, relationships: Body = {}) =>
      singleOf(await makeOf(await listOfSkus(contents), attributes, relationships)).data.id,
    patch: (type: string, id: string, attributes: Body, relationships: Body = {}, token = admin()) =>
      core().send('PATCH', `/api/${type}/${id}`, token, { data: { type, id, attributes, relationships } }),
    remove: (type: string, id: string, token = admin()) => core().send('DELETE', `/api/${type}/${id}`, token),
    /** SKU code → what is there and what of it is reserved, in all locations together. */
    stockOf: async (): Promise<Readonly<Record<string, readonly [quantity: number, reserved: number]>>> => {
      const { rows } = await core().pool.query<{ code: string; quantity: number; reserved: number }>(
        `SELECT sku_code AS code, sum(items.quantity)::int AS quantity, coalesce(sum(held.quantity), 0)::int AS reserved
          FROM stock_items AS items
          LEFT JOIN reserved_stocks AS held ON held.environment_id = 1 AND held.stock_item_id = items.id
          WHERE items.environment_id = 1 AND items.stock_location_id <= 2 GROUP BY sku_code ORDER BY sku_code`,
      )
      return Object.fromEntries(rows.map(({ code, quantity, reserved }) => [code, [quantity, reserved]]))
    },
  }
}
