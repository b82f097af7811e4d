import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import { TRANSFER_ENDED } from './stock-transfer-states.ts'

/** What moves stock may change until it was moved; where from and where to only while nothing is reserved for it. */
const FIXED = [
  'sku',
  'sku_code',
  'origin_stock_location',
  'destination_stock_location',
  'shipment',
  'line_item',
]

/** A transfer leads from one location to another. */
export const placesOfTransfer: Rule = ({ operation, before, after, sent }) => {
  const violations: WriteViolation[] = []
  const status = before === undefined ? 'draft' : rowOf('StockTransfer', before).status
  if (status !== 'draft') {
    const message = `cannot be changed on a stock transfer that is ${status}, only while it is draft`
    violations.push(
      ...FIXED.filter((name) => sent.has(name)).map((name) => ({
        at: name === 'sku_code' ? { attribute: name } : { relationship: name },
        error: 'not_editable',
        message,
      })),
    )
  }
  if (sent.has('quantity') && TRANSFER_ENDED.includes(status)) {
    const message = `cannot be changed on a stock transfer that is ${status}`
    violations.push({ at: { attribute: 'quantity' }, error: 'not_editable', message })
  }
  const { origin_stock_location_id: origin, destination_stock_location_id: destination } = after
  if (typeof origin === 'number' && origin === destination) {
    const message = 'must be another one than the origin'
    violations.push({ at: { relationship: 'destination_stock_location' }, error: 'invalid', message })
  }
  if (violations.length > 0) return { violations }
  return operation === 'create' ? { set: { status: 'draft' } } : {}
}
