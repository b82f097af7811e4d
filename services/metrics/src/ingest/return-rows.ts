/** An order document → the rows of its returns. Market, customer, currency and line items are those of the order. Pure. */
import type {
  OrderDocument,
  OrderLineItem,
  OrderReturn,
  OrderReturnLineItem,
} from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import { detailsOf, namesOf } from './aggregated-details.ts'
import {
  addressColumns,
  joinedColumns,
  listColumns,
  namedColumns,
  ownColumns,
  toRow,
  type Columns,
} from './columns.ts'
import { currentDateOfReturn, restockedAt } from './derived.ts'
import { lineForm } from './forms.ts'

/** A line that comes back, beside the line item that it is; undefined when the order has it no more. */
interface ReturnedLine {
  readonly item: OrderReturnLineItem
  readonly line: OrderLineItem | undefined
}

/** A return beside the order that it belongs to. */
interface Returned {
  readonly document: OrderDocument
  readonly of: OrderReturn
  readonly lines: readonly ReturnedLine[]
}

const details = ({ document, of, lines }: Returned): string =>
  detailsOf([
    of.id,
    of.number,
    of.reference,
    of.status,
    document.id,
    document.number,
    document.currency_code,
    ...namesOf(document),
    of.stock_location?.name,
    ...[of.origin_address, of.destination_address].flatMap((address) => [
      address?.city,
      address?.zip_code,
      address?.state_code,
      address?.country_code,
    ]),
    ...of.tags.map(({ name }) => name),
    ...lines.flatMap(({ line }) => [line?.code, line?.name]),
  ])

const returnLineItems: Columns<ReturnedLine> = {
  line_item_id: ({ item }) => item.line_item_id,
  line_item_code: ({ line }) => line?.code ?? null,
  line_item_item_type: ({ line }) => (line === undefined || line.item_type === '' ? null : line.item_type),
  line_item_name: ({ line }) => line?.name ?? null,
  line_item_total_amount: ({ line }, { money }) =>
    line === undefined ? null : money(line.total_amount_cents),
  line_item_tax_amount: ({ line }, { money }) => (line === undefined ? null : money(line.tax_amount_cents)),
  line_item_tax_rate: ({ line }, { rate }) => (line === undefined ? null : rate(line.tax_rate)),
  line_item_updated_at: ({ line }, { instant }) => (line === undefined ? null : instant(line.updated_at)),
  quantity: ({ item }) => item.quantity,
  created_at: ({ item }, { instant }) => instant(item.created_at),
  updated_at: ({ item }, { instant }) => instant(item.updated_at),
  restocked_at: ({ item }, { instantOrNull }) => instantOrNull(item.restocked_at),
}

const dates: Columns<Returned> = {
  current_date: ({ of }, { instant }) => instant(currentDateOfReturn(of)),
  created_at: ({ of }, { instant }) => instant(of.created_at),
  updated_at: ({ of }, { instant }) => instant(of.updated_at),
  approved_at: ({ of }, { instantOrNull }) => instantOrNull(of.approved_at),
  archived_at: ({ of }, { instantOrNull }) => instantOrNull(of.archived_at),
  cancelled_at: ({ of }, { instantOrNull }) => instantOrNull(of.cancelled_at),
  received_at: ({ of }, { instantOrNull }) => instantOrNull(of.received_at),
  rejected_at: ({ of }, { instantOrNull }) => instantOrNull(of.rejected_at),
  restocked_at: ({ of }, { instantOrNull }) => instantOrNull(restockedAt(of)),
  shipped_at: ({ of }, { instantOrNull }) => instantOrNull(of.shipped_at),
}

const orderPart: Columns<Returned> = {
  version: ({ document }) => document.version,
  is_deleted: () => 0,
  organization_id: ({ document }) => document.organization.id,
  organization_name: ({ document }) => document.organization.name,
  organization_slug: ({ document }) => document.organization.slug,
  mode: ({ document }) => document.mode,
  order_id: ({ document }) => document.id,
  store_id: ({ document }) => document.store_id,
  currency_code: ({ document }) => document.currency_code,
  market_id: ({ document }) => document.market.id,
  market_name: ({ document }) => document.market.name,
  market_number: ({ document }) => document.market.number,
  customer_email: ({ document }) => document.customer?.email ?? null,
  customer_group_name: ({ document }) => document.customer?.group_name ?? null,
  customer_id: ({ document }) => document.customer?.id ?? null,
}

const own: Columns<Returned> = {
  ...orderPart,
  id: ({ of }) => of.id,
  number: ({ of }) => of.number,
  status: ({ of }) => of.status,
  reference: ({ of }) => of.reference,
  reference_origin: ({ of }) => of.reference_origin,
  skus_count: ({ of }) => of.skus_count,
  archived: ({ of }) => of.archived_at !== null,
  aggregated_details: details,
  ...dates,
  ...addressColumns('origin_address', ({ of }) => of.origin_address),
  ...addressColumns('destination_address', ({ of }) => of.destination_address),
  ...namedColumns('stock_location', ({ of }) => of.stock_location),
}

const columns = joinedColumns<Returned>([
  ownColumns(own),
  listColumns('return_line_items', ({ lines }) => lines, returnLineItems),
  listColumns('tags', ({ of }) => of.tags, { id: ({ id }) => id, name: ({ name }) => name }),
])

/** Every column that the ingest writes. */
export const RETURN_COLUMNS: readonly string[] = columns.names

const returnsOf = (document: OrderDocument): readonly Returned[] =>
  document.returns.map((of) => {
    const lines = of.line_items.map((item) => ({
      item,
      line: document.line_items.find(({ id }) => id === item.line_item_id),
    }))
    return { document, of, lines }
  })

/** The values of the columns as lines have them, in their order, for each return of the order. */
export const toValuesReturns = (document: OrderDocument): readonly (readonly unknown[])[] =>
  returnsOf(document).map((returned) => columns.valuesOf(returned, lineForm(document.minor_unit_digits)))

/** The same by name. */
export const toRowsReturns = (document: OrderDocument): readonly Row[] =>
  toValuesReturns(document).map((values) => toRow(RETURN_COLUMNS, values))
