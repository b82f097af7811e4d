/** An order with all that its screen shows. */
import { orders, shipments } from '@commercelayer/sdk'

export const readOrder = (id: string) =>
  orders.retrieve(id, {
    include: [
      ...['customer', 'market', 'billing_address', 'shipping_address', 'payment_method'],
      ...['line_items', 'shipments', 'shipments.shipping_method', 'transactions'],
    ],
  })

export type OrderWithParts = Awaited<ReturnType<typeof readOrder>>

/** The newest first. */
export const readEvents = (id: string) => orders.events(id, { pageSize: 25, sort: { created_at: 'desc' } })

export const startTrigger = (id: string, trigger: string) => orders.update({ id, [trigger]: true })

export const startShipmentTrigger = (id: string, trigger: string) => shipments.update({ id, [trigger]: true })
