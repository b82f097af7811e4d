/** What is sold in a history: a few articles of one price that need no parcel, with some stock each, in a market of the demo. */
import type { CollectionDocument, ResourceDocument, ResourceObject } from '../../support/wire.ts'
import type { User } from '../support/user.ts'

export const UNIT_CENTS = 1_250
const ARTICLES = 3

export interface Shop {
  readonly market: string
  readonly paymentMethod: string
  /** By id: its code, and the units that there are to begin with. */
  readonly skus: ReadonlyMap<string, { readonly code: string; readonly units: number }>
}

export const link = (type: string, id: string) => ({ data: { type, id } })

const ask = async (user: User, path: string): Promise<CollectionDocument> => {
  const reply = await user.core('GET', path)
  if (reply === undefined) throw new Error(`the shop is not there: ${path} was refused`)
  return reply.json<CollectionDocument>()
}

const firstOf = async (user: User, path: string): Promise<ResourceObject> => {
  const [found] = (await ask(user, path)).data
  if (found === undefined) throw new Error(`the demo has nothing at ${path}`)
  return found
}

const make = async (
  user: User,
  type: string,
  attributes: Readonly<Record<string, unknown>>,
  relationships: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const reply = await user.core('POST', type, { data: { type, attributes, relationships } })
  if (reply === undefined) throw new Error(`${type} was refused`)
  return reply.json<ResourceDocument>().data.id
}

/** Before anything breaks. `units` of each article; `series` begins their codes, which are unique in an organization. */
export const openShop = async (user: User, units: number, series = 'HISTORY'): Promise<Shop> => {
  const inMarket = 'inventory_model.inventory_stock_locations.stock_location,price_list'
  const markets = await ask(user, `markets?filter[q][code_eq]=EU&include=${inMarket}`)
  const idOf = (type: string): string => {
    const found = markets.included?.find((each) => each.type === type)
    if (found === undefined) throw new Error(`the market of the demo has no ${type}`)
    return found.id
  }
  const category = await firstOf(user, 'shipping_categories?page[size]=1')
  const method = await firstOf(
    user,
    'payment_methods?filter[q][payment_source_type_eq]=wire_transfers&page[size]=1',
  )
  const skus = new Map<string, { readonly code: string; readonly units: number }>()
  for (let article = 1; article <= ARTICLES; article += 1) {
    const code = `${series}-${article}`
    const attributes = { code, name: `Article ${article}`, do_not_ship: true }
    const id = await make(user, 'skus', attributes, {
      shipping_category: link('shipping_categories', category.id),
    })
    const sku = link('skus', id)
    await make(
      user,
      'prices',
      { amount_cents: UNIT_CENTS },
      { sku, price_list: link('price_lists', idOf('price_lists')) },
    )
    await make(
      user,
      'stock_items',
      { quantity: units },
      { sku, stock_location: link('stock_locations', idOf('stock_locations')) },
    )
    skus.set(id, { code, units })
  }
  const [market] = markets.data
  if (market === undefined) throw new Error('the demo has no market EU')
  return { market: market.id, paymentMethod: method.id, skus }
}
