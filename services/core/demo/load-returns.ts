/** Returns of the demo, their lines and their tags, copied with the orders of the same batch. */
import type { PoolClient } from 'pg'
import { copyRows, reserveIds } from '../src/engine/database/bulk-load.ts'
import type { CopyRow } from '../src/engine/database/bulk-load.ts'
import type { DrawnReturn } from './draw-return.ts'
import { toRow } from './order-rows.ts'
import type { Columns, NumberedLine, NumberedOrder } from './order-rows.ts'

interface NumberedReturn {
  readonly id: number
  readonly owner: NumberedOrder
  readonly drawn: DrawnReturn
  readonly goods: readonly NumberedLine[]
  /** Where it goes back to. */
  readonly destinationAddressId: number | null
}

const returnColumns: Columns<NumberedReturn> = {
  id: (r) => r.id,
  environment_id: (r) => r.owner.environmentId,
  order_id: (r) => r.owner.id,
  customer_id: (r) => r.owner.order.buyer?.id,
  customer_email: (r) => r.owner.order.buyer?.email,
  currency_code: (r) => r.owner.order.market.blueprint.currency,
  estimated_refund_amount_cents: (r) => returnedLines(r).reduce((sum, { totalCents }) => sum + totalCents, 0),
  number: (r) => `#${r.owner.number}/R/001`,
  status: (r) => r.drawn.status,
  stock_location_id: (r) => r.owner.order.shipping?.stockLocationId,
  origin_address_id: (r) => r.owner.order.buyer?.address_id,
  destination_address_id: (r) => r.destinationAddressId,
  skus_count: (r) => r.drawn.lines.reduce((sum, { quantity }) => sum + quantity, 0),
  approved_at: (r) => r.drawn.approvedAt,
  cancelled_at: (r) => r.drawn.cancelledAt,
  shipped_at: (r) => r.drawn.shippedAt,
  rejected_at: (r) => r.drawn.rejectedAt,
  received_at: (r) => r.drawn.receivedAt,
  refunded_at: (r) => r.drawn.refundedAt,
  archived_at: (r) => r.drawn.archivedAt,
  reference: (r) => r.drawn.reference,
  reference_origin: (r) => (r.drawn.reference === null ? null : 'helpdesk'),
  created_at: (r) => r.drawn.createdAt,
  updated_at: (r) => r.drawn.updatedAt,
}

const LINE_COLUMNS =
  'environment_id return_id line_item_id sku_code name image_url quantity total_amount_cents currency_code restocked_at created_at updated_at'

/** What comes back, with what was paid for it. */
const returnedLines = ({ drawn, goods }: NumberedReturn) =>
  drawn.lines.flatMap(({ good, quantity }) => {
    const source = goods[good]
    if (source === undefined || !('offer' in source.line.item)) return []
    const { line } = source
    const totalCents = Math.round(((line.totalCents + line.discountCents) * quantity) / line.quantity)
    return [{ source, offer: source.line.item.offer, quantity, totalCents }]
  })

const lineRows = (returned: NumberedReturn): readonly CopyRow[] => {
  const { id, owner, drawn } = returned
  return returnedLines(returned).map(({ source, offer, quantity, totalCents }) => [
    owner.environmentId,
    id,
    source.id,
    offer.code,
    source.line.name,
    offer.image_url,
    quantity,
    totalCents,
    owner.order.market.blueprint.currency,
    drawn.restockedAt,
    drawn.createdAt,
    drawn.updatedAt,
  ])
}

/** Orders and line items must be there already. */
export const copyReturns = async (
  client: PoolClient,
  orders: readonly NumberedOrder[],
  lines: readonly NumberedLine[],
): Promise<void> => {
  const returned = orders.filter(({ order }) => order.goodsReturned !== null)
  if (returned.length === 0) return
  const goods = Map.groupBy(
    lines.filter(({ line }) => line.item.type === 'skus'),
    ({ orderId }) => orderId,
  )
  const ids = await reserveIds(client, 'returns', returned.length)
  const returns = returned.flatMap((owner, index): readonly NumberedReturn[] => {
    const drawn = owner.order.goodsReturned
    const id = ids[index]
    if (drawn === null || id === undefined) return []
    const destinationAddressId = owner.order.shipping?.stockAddressId ?? null
    return [{ id, owner, drawn, goods: goods.get(owner.id) ?? [], destinationAddressId }]
  })
  await copyRows(client, 'returns', Object.keys(returnColumns), returns.map(toRow(returnColumns)))
  await copyRows(client, 'return_line_items', LINE_COLUMNS.split(' '), returns.flatMap(lineRows))
  const tags = returns.flatMap(({ id, owner, drawn }) =>
    drawn.tags.map((tag): CopyRow => [owner.environmentId, tag, id]),
  )
  if (tags.length > 0) await copyRows(client, 'taggings', ['environment_id', 'tag_id', 'return_id'], tags)
}
