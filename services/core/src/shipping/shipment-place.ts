import type { Row } from '@merx/jsonapi/attributes'
import type { Rule, RuleContext, WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import { rowOf } from '../engine/database/rows.ts'

/** Relationships that only a shipment of an order in fulfillment may change by hand (lifecycles.md 5.1). */
const BY_HAND = ['shipping_category', 'inventory_stock_location', 'shipping_address']

/** Statuses of an order in which its shipping methods can still be chosen. */
export const METHODS_OPEN: readonly string[] = ['draft', 'pending', 'editing']

const violation = (relationship: string, message: string, error = 'not_editable'): WriteViolation => ({
  at: { relationship },
  error,
  message,
})

/**
 * Shipments are made and changed by hand only while their order is in fulfillment; the shipping method as long as the order
 * can be changed. A new shipment takes number, currency, address and stock location from its order and location.
 */
export const placeOfShipment: Rule = async (context) => {
  const { operation, after, sent, find, writer } = context
  const found = await find.byNumber('orders', after['order_id'])
  if (found === undefined) return {}
  const order = rowOf('Order', found)
  const { status, fulfillment_status: fulfillment } = order
  const violations: WriteViolation[] = []
  if (writer.isImport !== true && fulfillment !== 'in_progress') {
    const message = `can be sent while the fulfillment of the order is in_progress; it is ${fulfillment}`
    if (operation === 'create') violations.push(violation('order', message))
    else violations.push(...BY_HAND.filter((name) => sent.has(name)).map((name) => violation(name, message)))
    if (sent.has('shipping_method') && !METHODS_OPEN.includes(status)) {
      const open = METHODS_OPEN.join(' or ')
      violations.push(
        violation(
          'shipping_method',
          `cannot be changed while the order is ${status}, only while it is ${open}`,
        ),
      )
    }
  }
  if (violations.length > 0) return { violations }
  const location = await locationOf(context)
  const place = location === undefined ? {} : { stock_location_id: location['stock_location_id'] }
  if (operation === 'update') return { set: sent.has('inventory_stock_location') ? place : {} }
  return {
    set: {
      ...place,
      status: 'draft',
      number: await nextNumber(order, context),
      currency_code: order.currency_code,
      ...(sent.has('shipping_address') ? {} : { shipping_address_id: order.shipping_address_id }),
    },
  }
}

const locationOf = ({ after, find }: RuleContext): Promise<Row | undefined> =>
  find.byNumber('inventory_stock_locations', after['inventory_stock_location_id'], ['stock_location_id'])

const nextNumber = async (order: RowOf<'Order'>, { find }: RuleContext): Promise<string> => {
  for (let next = (await find.count('shipments', { order_id: order.id })) + 1; ; next += 1) {
    const number = shipmentNumber(order, next)
    if ((await find.byColumn('shipments', 'number', number, ['id'])) === undefined) return number
  }
}

/** `#<order>/S/<nnn>` */
export const shipmentNumber = ({ number }: Pick<RowOf<'Order'>, 'number'>, position: number): string =>
  `#${number}/S/${String(position).padStart(3, '0')}`
