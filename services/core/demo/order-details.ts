/** The small tables of orders: most orders have nothing in them. */
import type { PoolClient } from 'pg'
import { copyRows } from '../src/engine/database/bulk-load.ts'
import type { CopyRow } from '../src/engine/database/bulk-load.ts'
import type { NumberedLine, NumberedOrder } from './order-rows.ts'

interface Sources {
  readonly orders: readonly NumberedOrder[]
  readonly lines: readonly NumberedLine[]
  readonly shipmentOf: ReadonlyMap<number, number | null>
}

interface Detail {
  readonly table: string
  readonly columns: string
  readonly rows: (sources: Sources) => readonly CopyRow[]
}

const DETAILS: readonly Detail[] = [
  {
    table: 'line_item_options',
    columns:
      'environment_id line_item_id name quantity currency_code unit_amount_cents total_amount_cents options created_at updated_at',
    rows: ({ lines }) =>
      lines.flatMap(({ environmentId, id, line, order }) =>
        line.options.map(({ name, quantity, unitCents, totalCents, choices }) => {
          const currency = order.market.blueprint.currency
          return [
            environmentId,
            id,
            name,
            quantity,
            currency,
            unitCents,
            totalCents,
            choices,
            order.createdAt,
            order.createdAt,
          ]
        }),
      ),
  },
  {
    table: 'stock_line_items',
    columns: 'environment_id shipment_id line_item_id sku_id sku_code quantity created_at updated_at',
    rows: ({ lines, shipmentOf }) =>
      lines.flatMap(({ environmentId, id, orderId, line, order }): readonly CopyRow[] => {
        const shipmentId = shipmentOf.get(orderId) ?? null
        if (!('offer' in line.item) || shipmentId === null || line.item.offer.do_not_ship) return []
        const { offer } = line.item
        return [
          [
            environmentId,
            shipmentId,
            id,
            offer.id,
            offer.code,
            line.quantity,
            order.createdAt,
            order.createdAt,
          ],
        ]
      }),
  },
  {
    table: 'transactions',
    columns: 'environment_id type order_id number currency_code amount_cents succeeded created_at updated_at',
    rows: ({ orders }) => orders.flatMap(refundRow),
  },
  {
    table: 'taggings',
    columns: 'environment_id tag_id order_id shipment_id',
    rows: ({ orders }) =>
      orders.flatMap(({ environmentId, id, order, shipmentId }): readonly CopyRow[] => [
        ...order.tags.map((tag) => [environmentId, tag, id, null]),
        ...(shipmentId === null
          ? []
          : order.shipmentTags.map((tag) => [environmentId, tag, null, shipmentId])),
      ]),
  },
  {
    table: 'resource_errors',
    columns: 'environment_id name code message resource_type resource_id created_at updated_at',
    rows: ({ orders }) =>
      orders.flatMap(({ environmentId, id, order: { errors, progress } }) =>
        errors.map(({ name, code, message }) => {
          return [environmentId, name, code, message, 'orders', id, progress.updatedAt, progress.updatedAt]
        }),
      ),
  },
]

/** Orders, shipments and line items must be there already. */
export const copyDetails = async (
  client: PoolClient,
  orders: readonly NumberedOrder[],
  lines: readonly NumberedLine[],
): Promise<void> => {
  const sources = { orders, lines, shipmentOf: new Map(orders.map(({ id, shipmentId }) => [id, shipmentId])) }
  for (const { table, columns, rows } of DETAILS) {
    const found = rows(sources)
    if (found.length > 0) await copyRows(client, table, columns.split(' '), found)
  }
}

const refundRow = ({ environmentId, id, number, order }: NumberedOrder): readonly CopyRow[] => {
  const { progress, totals, market } = order
  const cents = Math.floor(totals.totalWithTaxes * progress.refunded)
  if (cents === 0) return []
  const at = progress.paymentUpdatedAt
  return [[environmentId, 'refunds', id, `${number}/T/003`, market.blueprint.currency, cents, true, at, at]]
}
