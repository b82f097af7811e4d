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

/** A transfer leads from one location to another, and knows the code of its SKU. */
export const placesOfTransfer: Rule = async ({ operation, before, after, sent, find }) => {
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
  const isNamed = sent.has('sku') || sent.has('sku_code')
  if (operation === 'update' && !isNamed) return {}
  const sku = await find.byNumber('skus', after['sku_id'], ['code'])
  // That the SKU is unknown was said already.
  if (sku === undefined) return {}
  if (sent.has('sku_code') && typeof after['sku_code'] === 'string' && after['sku_code'] !== sku['code']) {
    const message = 'must be the code of the SKU in the relationship'
    return {
      violations: [{ at: { attribute: 'sku_code' }, error: 'invalid', message, value: after['sku_code'] }],
    }
  }
  return { set: { sku_code: sku['code'], ...(operation === 'create' ? { status: 'draft' } : {}) } }
}
