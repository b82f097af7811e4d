/**
 * Orders → their documents, a whole page with a handful of statements: one for the orders, one for each kind of thing
 * an order has several of. Ids are made for many rows at once.
 */
import { minorDigitsOf } from '@merx/jsonapi/money'
import type { PublicIds } from '@merx/jsonapi/public-id'
import {
  ORDER_DOCUMENT_SCHEMA,
  type OrderDocument,
  type OrderLineItem,
  type OrderResourceError,
  type OrderReturn,
  type OrderShipment,
  type OrderTag,
} from '@merx/order-feed/order-document'
import {
  lineItemFields,
  optionFields,
  orderFields,
  refundFields,
  resourceErrorFields,
  returnFields,
  returnLineItemFields,
  shipmentFields,
  tagFields,
} from '@merx/order-feed/order-fields'
import type { QueryResultRow } from 'pg'
import type { Queryable } from '../engine/database/database.ts'
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
import { createPresenter } from './record-fields.ts'

/** The keys that rows are grouped by; what documents show is read by the presenters. */
interface RecordRow extends QueryResultRow {
  readonly id: number
}
interface PartRow extends RecordRow {
  readonly order_id: number
}
interface OrderRow extends RecordRow {
  readonly environment_id: number
  readonly currency_code: string
  readonly 'customer.id': number | null
}
interface LineItemRow extends PartRow {
  readonly item_id: number | null
  readonly 'item_id#type': string | null
}
interface OptionRow extends RecordRow {
  readonly line_item_id: number
}
interface ReturnLineItemRow extends RecordRow {
  readonly return_id: number
}
interface TagRow extends RecordRow {
  readonly order_id: number | null
  readonly shipment_id: number | null
  readonly return_id: number | null
}

const present = {
  order: createPresenter(orderFields),
  lineItem: createPresenter(lineItemFields),
  option: createPresenter(optionFields),
  shipment: createPresenter(shipmentFields),
  refund: createPresenter(refundFields),
  return: createPresenter(returnFields),
  returnLineItem: createPresenter(returnLineItemFields),
  tag: createPresenter(tagFields),
  resourceError: createPresenter(resourceErrorFields),
}

export interface OrderReference {
  readonly environmentId: number
  readonly id: number
}

/** The key of an order in the result. */
export const orderKey = (environmentId: number, id: number): string => `${environmentId}/${id}`

/** By the number of their owner, which is unique over all environments. */
type Groups<T> = ReadonlyMap<number, readonly T[]>

/** The documents of the orders that exist, by `orderKey`. Run it in a snapshot: several statements see one state. */
export const readOrderDocuments = async (
  snapshot: Queryable,
  orders: readonly OrderReference[],
  ids: PublicIds,
): Promise<ReadonlyMap<string, OrderDocument>> => {
  if (orders.length === 0) return new Map()
  const keys = [orders.map(({ environmentId }) => environmentId), orders.map(({ id }) => id)]
  const [rows, parts] = await readWithParts(snapshot, keys, ids)
  ids.prepare('orders', numbersOf(rows))
  ids.prepare(
    'customers',
    presentOf(rows, (row) => row['customer.id']),
  )
  return new Map(
    rows.map((row) => [
      orderKey(row.environment_id, row.id),
      present.order(row, ids, {
        schema: ORDER_DOCUMENT_SCHEMA,
        minor_unit_digits: minorDigitsOf(row.currency_code),
        line_items: parts.lineItems.get(row.id) ?? [],
        shipments: parts.shipments.get(row.id) ?? [],
        refunds: parts.refunds.get(row.id) ?? [],
        returns: parts.returns.get(row.id) ?? [],
        tags: parts.tags.get(row.id) ?? [],
        resource_errors: parts.resourceErrors.get(row.id) ?? [],
      }),
    ]),
  )
}

interface Parts {
  readonly lineItems: Groups<OrderLineItem>
  readonly shipments: Groups<OrderShipment>
  readonly refunds: Groups<OrderDocument['refunds'][number]>
  readonly returns: Groups<OrderReturn>
  readonly tags: Groups<OrderTag>
  readonly resourceErrors: Groups<OrderResourceError>
}

/** Presents rows while PostgreSQL works on the next statement: a snapshot has one connection. */
const during = async <R, T>(pending: Promise<R>, work: () => T): Promise<readonly [R, T]> =>
  Promise.all([pending, Promise.resolve().then(work)])

const readWithParts = async (snapshot: Queryable, keys: readonly unknown[], ids: PublicIds) => {
  const select = <R extends QueryResultRow>(text: string): Promise<readonly R[]> =>
    snapshot.query<R>(text, keys)
  const optionRows = await select<OptionRow>(OPTIONS)
  const [lineRows, options] = await during(select<LineItemRow>(LINE_ITEMS), () => toOptions(ids, optionRows))
  const [tagRows, lineItems] = await during(select<TagRow>(TAGS), () => toLineItems(ids, lineRows, options))
  const [shipmentRows, tags] = await during(select<PartRow>(SHIPMENTS), () => toTags(ids, tagRows))
  const [refundRows, shipments] = await during(select<PartRow>(REFUNDS), () =>
    toShipments(ids, shipmentRows, tags.ofShipments),
  )
  const [errorRows, refunds] = await during(select<PartRow>(RESOURCE_ERRORS), () =>
    toRefunds(ids, refundRows),
  )
  const returnRows = await select<PartRow>(RETURNS)
  const returnedRows = returnRows.length === 0 ? [] : await select<ReturnLineItemRow>(RETURN_LINE_ITEMS)
  const [rows, rest] = await during(select<OrderRow>(ORDERS), () => ({
    returns: toReturns(ids, returnRows, returnedRows, tags.ofReturns),
    resourceErrors: toResourceErrors(ids, errorRows),
  }))
  const parts: Parts = { lineItems, shipments, refunds, tags: tags.ofOrders, ...rest }
  return [rows, parts] as const
}

const numbersOf = (rows: readonly { readonly id: number }[]): readonly number[] => rows.map(({ id }) => id)

const presentOf = <R>(rows: readonly R[], of: (row: R) => number | null): readonly number[] =>
  rows.flatMap((row) => of(row) ?? [])

type Option = OrderLineItem['options'][number]

const toOptions = (ids: PublicIds, rows: readonly OptionRow[]): Groups<Option> => {
  ids.prepare('line_item_options', numbersOf(rows))
  return grouped(
    rows,
    (row) => row.line_item_id,
    (row) => present.option(row, ids, {}),
  )
}

const toLineItems = (ids: PublicIds, rows: readonly LineItemRow[], options: Groups<Option>) => {
  ids.prepare('line_items', numbersOf(rows))
  for (const [type, ofType] of Map.groupBy(rows, (row) => row['item_id#type']))
    if (type !== null)
      ids.prepare(
        type,
        presentOf(ofType, (row) => row.item_id),
      )
  return grouped(
    rows,
    (row) => row.order_id,
    (row) => present.lineItem(row, ids, { options: options.get(row.id) ?? [] }),
  )
}

interface Tags {
  readonly ofOrders: Groups<OrderTag>
  readonly ofShipments: Groups<OrderTag>
  readonly ofReturns: Groups<OrderTag>
}

const toTags = (ids: PublicIds, rows: readonly TagRow[]): Tags => {
  const by = (ownerOf: (row: TagRow) => number | null): Groups<OrderTag> =>
    grouped(rows, ownerOf, (row) => present.tag(row, ids, {}))
  return {
    ofOrders: by((row) => row.order_id),
    ofShipments: by((row) => row.shipment_id),
    ofReturns: by((row) => row.return_id),
  }
}

const toShipments = (ids: PublicIds, rows: readonly PartRow[], tags: Groups<OrderTag>) => {
  ids.prepare('shipments', numbersOf(rows))
  return grouped(
    rows,
    (row) => row.order_id,
    (row) => present.shipment(row, ids, { tags: tags.get(row.id) ?? [] }),
  )
}

const toRefunds = (ids: PublicIds, rows: readonly PartRow[]) => {
  ids.prepare('transactions', numbersOf(rows))
  return grouped(
    rows,
    (row) => row.order_id,
    (row) => present.refund(row, ids, {}),
  )
}

const toResourceErrors = (ids: PublicIds, rows: readonly PartRow[]) => {
  ids.prepare('resource_errors', numbersOf(rows))
  return grouped(
    rows,
    (row) => row.order_id,
    (row) => present.resourceError(row, ids, {}),
  )
}

const toReturns = (
  ids: PublicIds,
  rows: readonly PartRow[],
  lineRows: readonly ReturnLineItemRow[],
  tags: Groups<OrderTag>,
): Groups<OrderReturn> => {
  ids.prepare('returns', numbersOf(rows))
  ids.prepare('return_line_items', numbersOf(lineRows))
  const lineItems = grouped(
    lineRows,
    (row) => row.return_id,
    (row) => present.returnLineItem(row, ids, {}),
  )
  return grouped(
    rows,
    (row) => row.order_id,
    (row) =>
      present.return(row, ids, { tags: tags.get(row.id) ?? [], line_items: lineItems.get(row.id) ?? [] }),
  )
}

/** Rows by their owner's number, in the order they came; rows without that owner are left out. */
const grouped = <R, T>(
  rows: readonly R[],
  ownerOf: (row: R) => number | null,
  present: (row: R) => T,
): Groups<T> => {
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
