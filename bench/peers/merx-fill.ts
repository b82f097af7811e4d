/** Fills Merx over its own interface: the shop record by record, products as imports. */
import { setTimeout as wait } from 'node:timers/promises'
import { getAs, linkTo, sendAs, skusPage } from '@merx/core/load/core-requests'
import type { Connections } from '@merx/load/connections'
import type { Filling } from './peer.ts'
import { ADDRESS, at, sendTo, textAt, type Json } from './requests.ts'

/** Items of one import, the most there may be. */
const ROWS_OF_IMPORT = 10_000
/** Products that are read by id. */
const IDS = 1_000

/** What load has to know of the shop. */
export interface MerxShop {
  readonly market: string
  readonly paymentMethod: string
  readonly shippingMethod: string
}

type Attributes = Readonly<Record<string, unknown>>
type Rows = (product: number) => Attributes

/** @param token of an administrator's integration */
export const fillMerx = async (
  connections: Connections,
  token: string,
  { products, plenty, scarce }: Filling,
): Promise<MerxShop> => {
  const send = sendTo(connections)
  const create = async (
    type: string,
    attributes: Attributes,
    related: Readonly<Record<string, readonly [type: string, id: string]>> = {},
  ): Promise<string> => {
    const relationships = Object.fromEntries(
      Object.entries(related).map(([name, [to, id]]) => [name, linkTo(to, id)]),
    )
    return textAt(
      await send(sendAs(token, 'POST', `/api/${type}`, { type, attributes, relationships })),
      'data',
      'id',
    )
  }
  const address = await create('addresses', {
    first_name: ADDRESS.firstName,
    last_name: ADDRESS.lastName,
    line_1: ADDRESS.line,
    city: ADDRESS.city,
    zip_code: ADDRESS.zip,
    state_code: ADDRESS.state,
    country_code: ADDRESS.country,
    phone: ADDRESS.phone,
  })
  const merchant = await create('merchants', { name: 'Merchant' }, { address: ['addresses', address] })
  const priceList = await create('price_lists', { name: 'Italy', currency_code: 'EUR', tax_included: true })
  const location = await create('stock_locations', { name: 'Warehouse' }, { address: ['addresses', address] })
  const model = await create('inventory_models', { name: 'Italy' })
  await create(
    'inventory_stock_locations',
    { priority: 1 },
    { stock_location: ['stock_locations', location], inventory_model: ['inventory_models', model] },
  )
  const market = await create(
    'markets',
    { name: 'Italy', code: 'IT' },
    {
      merchant: ['merchants', merchant],
      price_list: ['price_lists', priceList],
      inventory_model: ['inventory_models', model],
    },
  )
  const gateway = await create('manual_gateways', { name: 'By hand' })
  const paymentMethod = await create(
    'payment_methods',
    { payment_source_type: 'wire_transfers', price_amount_cents: 0, currency_code: 'EUR' },
    { payment_gateway: ['manual_gateways', gateway] },
  )
  const category = await create('shipping_categories', { name: 'Goods' })
  const shippingMethod = await create('shipping_methods', {
    name: 'Express',
    currency_code: 'EUR',
    price_amount_cents: 1200,
  })
  const importAll = importer(connections, token, products)
  await importAll('skus', category, (n) => ({
    code: `SKU-${n}`,
    name: `Article number ${n}`,
    description: `What article number ${n} is made of, and what for.`,
    image_url: `https://images.example.com/${n}.png`,
  }))
  await importAll('prices', priceList, (n) => ({
    sku_code: `SKU-${n}`,
    amount_cents: 1000 + 100 * (n % 90),
  }))
  await importAll('stock_items', location, (n) => ({
    sku_code: `SKU-${n}`,
    quantity: n > products - scarce.count ? scarce.stock : plenty,
  }))
  return { market, paymentMethod, shippingMethod }
}

const importer = (connections: Connections, token: string, products: number) => {
  const send = sendTo(connections)
  const attribute = (answer: Json, name: string) => at(answer, 'data', 'attributes', name)
  return async (type: string, parent: string, row: Rows): Promise<void> => {
    for (let first = 1; first <= products; first += ROWS_OF_IMPORT) {
      const count = Math.min(ROWS_OF_IMPORT, products - first + 1)
      const inputs = Array.from({ length: count }, (_, offset) => row(first + offset))
      const attributes = { resource_type: type, parent_resource_id: parent, inputs }
      let job = await send(sendAs(token, 'POST', '/api/imports', { type: 'imports', attributes }))
      while (attribute(job, 'status') === 'pending' || attribute(job, 'status') === 'in_progress') {
        await wait(100)
        job = await send(getAs(token, `/api/imports/${textAt(job, 'data', 'id')}`))
      }
      if (attribute(job, 'status') !== 'completed' || attribute(job, 'errors_count') !== 0)
        throw new Error(`an import failed: ${JSON.stringify(job).slice(0, 500)}`)
    }
  }
}

/** Public ids of the first products, in their order. */
export const readProductIds = async (
  connections: Connections,
  token: string,
  products: number,
): Promise<readonly string[]> => {
  const send = sendTo(connections)
  const ids: string[] = []
  for (let page = 1; ids.length < Math.min(IDS, products); page += 1) {
    const answer = await send(skusPage(token, page, { sort: 'created_at' }))
    for (let row = 0; at(answer, 'data', row) !== undefined; row += 1) {
      const code = textAt(answer, 'data', row, 'attributes', 'code')
      ids[Number(code.slice('SKU-'.length)) - 1] = textAt(answer, 'data', row, 'id')
    }
  }
  return ids
}
