/** Lines of an order as they will be. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../engine/database/rows.ts'

/** A new line lacks the keys that PostgreSQL generates. */
export const withKeys = (line: Row, order: Row, environmentId: number): Row => {
  const { item_type: type = null, item_id: item = null } = columnsOf('LineItem', line)
  const keyOf = (wanted: string) => (type === wanted ? item : null)
  return {
    ...line,
    environment_id: environmentId,
    order_id: order['id'],
    sku_id: keyOf('skus'),
    shipment_id: keyOf('shipments'),
    payment_method_id: keyOf('payment_methods'),
  }
}
