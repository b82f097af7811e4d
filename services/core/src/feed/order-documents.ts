/**
 * Orders → their documents, a whole page with a handful of statements: one for the orders, one for each kind of thing
 * an order has several of.
 */
import type { PublicIds } from '@merx/jsonapi/public-id'
import type {
  OrderDocument,
  OrderLineItem,
  OrderResourceError,
  OrderShipment,
  OrderTag,
} from '@merx/order-feed/order-document'
import type { Queryable } from '../store/database.ts'
import {
  toDocument,
  toLineItem,
  toOption,
  toRefund,
  toResourceError,
  toShipment,
  toTag,
} from './document-parts.ts'
import {
  LINE_ITEMS,
  OPTIONS,
  ORDERS,
  REFUNDS,
  RESOURCE_ERRORS,
  RETURN_LINE_ITEMS,
  RETURNS,
  SHIPMENTS,
  TAGS,
} from './document-queries.ts'
import type {
  LineItemRow,
  OptionRow,
  OrderRow,
  RefundRow,
  ResourceErrorRow,
  ReturnLineItemRow,
  ReturnRow,
  ShipmentRow,
  TagRow,
} from './document-rows.ts'
import { toReturn, toReturnLineItem } from './return-parts.ts'

export interface OrderReference {
  readonly environmentId: number
  readonly id: number
}

/** The key of an order in the result. */
export const orderKey = (environmentId: number, id: number): string => `${environmentId}/${id}`

/** The documents of the orders that exist, by `orderKey`. Run it in a snapshot: several statements see one state. */
export const readOrderDocuments = async (
  snapshot: Queryable,
  orders: readonly OrderReference[],
  ids: PublicIds,
): Promise<ReadonlyMap<string, OrderDocument>> => {
  if (orders.length === 0) return new Map()
  const keys = [orders.map(({ environmentId }) => environmentId), orders.map(({ id }) => id)]
  const rows = await snapshot.query<OrderRow>(ORDERS, keys)
  const parts = await readParts(snapshot, keys, ids)
  return new Map(
    rows.map((row) => [
      orderKey(row.environment_id, row.id),
      toDocument(ids, row, {
        lineItems: parts.lineItems.get(row.id) ?? [],
        shipments: parts.shipments.get(row.id) ?? [],
        refunds: parts.refunds.get(row.id) ?? [],
        returns: parts.returns.get(row.id) ?? [],
        tags: parts.tags.get(row.id) ?? [],
        resourceErrors: parts.resourceErrors.get(row.id) ?? [],
      }),
    ]),
  )
}

interface Parts {
  readonly lineItems: ReadonlyMap<number, readonly OrderLineItem[]>
  readonly shipments: ReadonlyMap<number, readonly OrderShipment[]>
  readonly refunds: ReadonlyMap<number, OrderDocument['refunds']>
  readonly returns: ReadonlyMap<number, OrderDocument['returns']>
  readonly tags: ReadonlyMap<number, readonly OrderTag[]>
  readonly resourceErrors: ReadonlyMap<number, readonly OrderResourceError[]>
}

/** Row numbers are unique over all environments, so the order's number alone groups the rows. */
const readParts = async (snapshot: Queryable, keys: readonly unknown[], ids: PublicIds): Promise<Parts> => {
  const options = grouped(
    await snapshot.query<OptionRow>(OPTIONS, keys),
    (row) => row.line_item_id,
    (row) => toOption(ids, row),
  )
  const tagRows = await snapshot.query<TagRow>(TAGS, keys)
  const tagsOfShipments = grouped(
    tagRows,
    (row) => row.shipment_id,
    (row) => toTag(ids, row),
  )
  return {
    lineItems: grouped(
      await snapshot.query<LineItemRow>(LINE_ITEMS, keys),
      (row) => row.order_id,
      (row) => toLineItem(ids, row, options.get(row.id) ?? []),
    ),
    shipments: grouped(
      await snapshot.query<ShipmentRow>(SHIPMENTS, keys),
      (row) => row.order_id,
      (row) => toShipment(ids, row, tagsOfShipments.get(row.id) ?? []),
    ),
    refunds: grouped(
      await snapshot.query<RefundRow>(REFUNDS, keys),
      (row) => row.order_id,
      (row) => toRefund(ids, row),
    ),
    returns: await readReturns(snapshot, keys, ids, tagRows),
    tags: grouped(
      tagRows,
      (row) => row.order_id,
      (row) => toTag(ids, row),
    ),
    resourceErrors: grouped(
      await snapshot.query<ResourceErrorRow>(RESOURCE_ERRORS, keys),
      (row) => row.order_id,
      (row) => toResourceError(ids, row),
    ),
  }
}

const readReturns = async (
  snapshot: Queryable,
  keys: readonly unknown[],
  ids: PublicIds,
  tagRows: readonly TagRow[],
): Promise<Parts['returns']> => {
  const rows = await snapshot.query<ReturnRow>(RETURNS, keys)
  if (rows.length === 0) return new Map()
  const lineItems = grouped(
    await snapshot.query<ReturnLineItemRow>(RETURN_LINE_ITEMS, keys),
    (row) => row.return_id,
    (row) => toReturnLineItem(ids, row),
  )
  const tags = grouped(
    tagRows,
    (row) => row.return_id,
    (row) => toTag(ids, row),
  )
  return grouped(
    rows,
    (row) => row.order_id,
    (row) => toReturn(ids, row, { tags: tags.get(row.id) ?? [], lineItems: lineItems.get(row.id) ?? [] }),
  )
}

/** Rows by their owner's number, in the order they came; rows without that owner are left out. */
const grouped = <R, T>(
  rows: readonly R[],
  ownerOf: (row: R) => number | null,
  present: (row: R) => T,
): ReadonlyMap<number, readonly T[]> => {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const owner = ownerOf(row)
    if (owner === null) continue
    const group = groups.get(owner)
    if (group === undefined) groups.set(owner, [present(row)])
    else group.push(present(row))
  }
  return groups
}
