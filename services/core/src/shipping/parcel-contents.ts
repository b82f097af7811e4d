import type { Rule } from '@merx/jsonapi/rules'
import { columnsOf, rowOf } from '../engine/database/rows.ts'

/** What a parcel holds is of its own shipment, and is described as the stock line item is. */
export const contentsOfParcel: Rule = async ({ operation, after, find }) => {
  if (operation !== 'create') return {}
  const item = await find.byNumber('stock_line_items', after['stock_line_item_id'])
  const parcel = await find.byNumber('parcels', after['parcel_id'], ['shipment_id'])
  // That one of them is unknown was said already.
  if (item === undefined || parcel === undefined) return {}
  if (item['shipment_id'] !== parcel['shipment_id']) {
    const message = "must be of the parcel's shipment"
    return { violations: [{ at: { relationship: 'stock_line_item' }, error: 'invalid', message }] }
  }
  const { quantity = 0 } = columnsOf('ParcelLineItem', after)
  const { quantity: most } = rowOf('StockLineItem', item)
  if (quantity > most) {
    const message = `must be less than or equal to ${most}, the quantity of the stock line item`
    return {
      violations: [
        {
          at: { attribute: 'quantity' },
          error: 'less_than_or_equal_to',
          message,
          value: quantity,
          count: most,
        },
      ],
    }
  }
  const { sku_code, bundle_code, name, image_url } = item
  return { set: { sku_code, bundle_code, name, image_url } }
}
