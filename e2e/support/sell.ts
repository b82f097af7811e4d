/** Sells through the public interface as a shop front and its merchant do: requests of a sales channel, then of an integration. */
import { accessToken, connect } from './connect.ts'
import type { Mode } from './demo.ts'
import type { Linkage, ResourceDocument, ResourceObject } from './wire.ts'

/** How far an order is taken; each step follows the ones before. */
export type Step =
  | 'lines'
  | 'address'
  | 'place'
  | 'cancel'
  | 'approve'
  | 'capture'
  | 'pack'
  | 'ship'
  | 'deliver'
  | 'refund a part'
  | 'refund'

export interface Buyer {
  readonly email: string
  readonly skuCode: string
  readonly quantity: number
  /** The id of a market that anybody buys in; by default the first. */
  readonly market?: string
  /** By default test. */
  readonly mode?: Mode
  /** The id of one that was begun; by default a new one. */
  readonly order?: string
}

/** Complete, as placing wants it. */
export const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  line_1: 'Via Roma 1',
  city: 'Torino',
  zip_code: '10121',
  state_code: 'TO',
  country_code: 'IT',
  phone: '+39 011 1234567',
}

const link = (type: string, id: string): { readonly data: Linkage } => ({ data: { type, id } })

type Links = Readonly<Record<string, { readonly data: Linkage }>>

const write = async (
  token: string,
  type: string,
  { id, attributes = {}, relationships = {} }: { id?: string; attributes?: object; relationships?: Links },
): Promise<ResourceObject> => {
  const body = { data: { type, ...(id === undefined ? {} : { id }), attributes, relationships } }
  const [method, path] = id === undefined ? ['POST', type] : ['PATCH', `${type}/${id}`]
  const reply = await connect().core(path, { token, method, body })
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.json<ResourceDocument>().data
}

/** The first included resource that fits; throws, naming the type, when there is none. */
const included = async (
  token: string,
  path: string,
  include: string,
  fits: (resource: ResourceObject) => boolean,
): Promise<ResourceObject> => {
  const page = await connect().core(path, { token, query: { include } })
  const found = page.json<ResourceDocument>().included?.find(fits)
  if (found === undefined) throw new Error(`${path} has no ${include} that fits: ${page.text.slice(0, 400)}`)
  return found
}

const shipmentsOf = async (token: string, orderId: string): Promise<readonly ResourceObject[]> =>
  (await connect().collection(`orders/${orderId}/shipments`, { token })).data

const chooseShippingAndPayment = async (token: string, id: string): Promise<void> => {
  const path = `orders/${id}/shipments`
  const method = await included(
    token,
    path,
    'available_shipping_methods',
    ({ type }) => type === 'shipping_methods',
  )
  for (const shipment of await shipmentsOf(token, id))
    await write(token, 'shipments', {
      id: shipment.id,
      relationships: { shipping_method: link('shipping_methods', method.id) },
    })
  const transfer = await included(
    token,
    `orders/${id}`,
    'available_payment_methods',
    ({ attributes }) => attributes['payment_source_type'] === 'wire_transfers',
  )
  await write(token, 'orders', {
    id,
    relationships: { payment_method: link('payment_methods', transfer.id) },
  })
  await write(token, 'wire_transfers', { relationships: { order: link('orders', id) } })
}

const moveShipments = async (token: string, id: string, triggers: readonly string[]): Promise<void> => {
  for (const shipment of await shipmentsOf(token, id))
    for (const trigger of triggers)
      await write(token, 'shipments', { id: shipment.id, attributes: { [trigger]: true } })
}

const PART_CENTS = 100

const refundPart = async (token: string, orderId: string): Promise<void> => {
  const { data } = await connect().collection(`orders/${orderId}/captures`, { token })
  for (const { id } of data)
    await write(token, 'captures', { id, attributes: { _refund: true, _refund_amount_cents: PART_CENTS } })
}

/** @returns the id of the order */
export const sell = async (buyer: Buyer, steps: readonly Step[]): Promise<string> => {
  const { market, mode = 'test' } = buyer
  const scope = market === undefined ? {} : { scope: `market:id:${market}` }
  const shop = await accessToken('sales_channel', { mode, ...scope })
  const merchant = await accessToken('integration', { mode })
  const id = buyer.order ?? (await write(shop, 'orders', {})).id
  const ofMerchant = (trigger: string) => write(merchant, 'orders', { id, attributes: { [trigger]: true } })
  const actions: Readonly<Record<Step, () => Promise<unknown>>> = {
    lines: () =>
      write(shop, 'line_items', {
        attributes: { sku_code: buyer.skuCode, quantity: buyer.quantity },
        relationships: { order: link('orders', id) },
      }),
    address: async () => {
      const address = link('addresses', (await write(shop, 'addresses', { attributes: ADDRESS })).id)
      await write(shop, 'orders', {
        id,
        attributes: { customer_email: buyer.email },
        relationships: { shipping_address: address, billing_address: address },
      })
    },
    place: async () => {
      await chooseShippingAndPayment(shop, id)
      await write(shop, 'orders', { id, attributes: { _place: true } })
    },
    cancel: () => ofMerchant('_cancel'),
    approve: () => ofMerchant('_approve'),
    capture: () => ofMerchant('_capture'),
    'refund a part': () => refundPart(merchant, id),
    refund: () => ofMerchant('_refund'),
    pack: () => moveShipments(merchant, id, ['_packing']),
    ship: () => moveShipments(merchant, id, ['_ready_to_ship', '_ship']),
    deliver: () => moveShipments(merchant, id, ['_deliver']),
  }
  for (const step of steps) await actions[step]()
  return id
}
