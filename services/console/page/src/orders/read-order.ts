/** An order with all that its screen shows and the user may read; what its buttons and fields send. */
import { attachments, line_items, orders, shipments, skus, tags, type OrderUpdate } from '@commercelayer/sdk'
import type { Action } from '../data/permissions.ts'

type May = (action: Action, type: string) => boolean

/** Path of an include → the types on its way; core refuses an order with one that the role may not read. */
const INCLUDES: Readonly<Record<string, readonly string[]>> = {
  customer: ['customers'],
  market: ['markets'],
  store: ['stores'],
  billing_address: ['addresses'],
  shipping_address: ['addresses'],
  payment_method: ['payment_methods'],
  line_items: ['line_items'],
  shipments: ['shipments'],
  'shipments.shipping_method': ['shipments', 'shipping_methods'],
  'shipments.stock_location': ['shipments', 'stock_locations'],
  'shipments.stock_line_items': ['shipments', 'stock_line_items'],
  'shipments.stock_transfers': ['shipments', 'stock_transfers'],
  'shipments.parcels': ['shipments', 'parcels'],
  transactions: ['transactions'],
  attachments: ['attachments'],
  tags: ['tags'],
}

export const readOrder = (id: string, may: May) =>
  orders.retrieve(id, {
    include: Object.keys(INCLUDES).filter((path) => INCLUDES[path]?.every((type) => may('read', type))),
  })

export type OrderWithParts = Awaited<ReturnType<typeof readOrder>>
export type LineOfOrder = NonNullable<OrderWithParts['line_items']>[number]
export type ShipmentOfOrder = NonNullable<OrderWithParts['shipments']>[number]

/** The newest first. */
export const readEvents = (id: string) => orders.events(id, { pageSize: 25, sort: { created_at: 'desc' } })

export type OrderEvents = Awaited<ReturnType<typeof readEvents>>

export const startTrigger = (id: string, trigger: string) => orders.update({ id, [trigger]: true })

export const startShipmentTrigger = (id: string, trigger: string) => shipments.update({ id, [trigger]: true })

export const changeOrder = (id: string, values: Omit<OrderUpdate, 'id'>) => orders.update({ ...values, id })

export const addLine = (orderId: string, skuId: string, quantity: number) =>
  line_items.create({
    quantity,
    // Of an article that is there already, the quantity grows.
    _update_quantity: true,
    item: skus.relationship(skuId),
    order: orders.relationship(orderId),
  })

export const setQuantity = (id: string, quantity: number) => line_items.update({ id, quantity })

export const removeLine = (id: string) => line_items.delete(id)

export const addNote = (
  orderId: string,
  note: { name: string; description: string | null; url: string | null },
) => attachments.create({ ...note, attachable: orders.relationship(orderId) })

export const removeNote = (id: string) => attachments.delete(id)

/**
 * Core drops names of tags that do not exist, so the tag is looked for, and made where the role may.
 * @returns whether there is such a tag now
 */
export const addTag = async (orderId: string, name: string, mayCreate: boolean): Promise<boolean> => {
  const [found] = await tags.list({ filters: { name_eq: name }, pageSize: 1 })
  if (found === undefined && !mayCreate) return false
  if (found === undefined) await tags.create({ name })
  await changeOrder(orderId, { _add_tags: name })
  return true
}

export const removeTag = (orderId: string, name: string) => changeOrder(orderId, { _remove_tags: name })
