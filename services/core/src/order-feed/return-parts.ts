/** Rows of returns → their parts of the order document. */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { OrderReturn, OrderReturnLineItem, OrderTag } from '@merx/order-feed/order-document'
import { isoOf, isoOrNull, toAddress, toNamed } from './document-parts.ts'
import type { ReturnLineItemRow, ReturnRow } from './document-rows.ts'

interface ReturnParts {
  readonly tags: readonly OrderTag[]
  readonly lineItems: readonly OrderReturnLineItem[]
}

export const toReturn = (ids: PublicIds, row: ReturnRow, { tags, lineItems }: ReturnParts): OrderReturn => ({
  id: ids.encode('returns', row.id),
  number: row.number,
  status: row.status,
  reference: row.reference,
  reference_origin: row.reference_origin,
  skus_count: row.skus_count,
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
  approved_at: isoOrNull(row.approved_at),
  cancelled_at: isoOrNull(row.cancelled_at),
  shipped_at: isoOrNull(row.shipped_at),
  rejected_at: isoOrNull(row.rejected_at),
  received_at: isoOrNull(row.received_at),
  refunded_at: isoOrNull(row.refunded_at),
  archived_at: isoOrNull(row.archived_at),
  stock_location: toNamed(
    ids,
    'stock_locations',
    row.stock_location_id,
    row.stock_location_name,
    row.stock_location_reference,
    row.stock_location_reference_origin,
  ),
  origin_address: row.origin_address === null ? null : toAddress(row.origin_address),
  destination_address: row.destination_address === null ? null : toAddress(row.destination_address),
  tags,
  line_items: lineItems,
})

export const toReturnLineItem = (ids: PublicIds, row: ReturnLineItemRow): OrderReturnLineItem => ({
  id: ids.encode('return_line_items', row.id),
  line_item_id: ids.encode('line_items', row.line_item_id),
  quantity: row.quantity,
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
  restocked_at: isoOrNull(row.restocked_at),
})
