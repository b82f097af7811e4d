/** An order document → the rows of its returns. Market, customer, currency and line items are those of the order. Pure. */
import type {
  OrderDocument,
  OrderLineItem,
  OrderReturn,
  OrderReturnLineItem,
} from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import { detailsOf, namesOf } from './aggregated-details.ts'
import { joinedColumns, listColumns, ownColumns, readersOf, toRow, type Columns } from './columns.ts'
import { currentDateOfReturn, restockedAt } from './derived.ts'
import { toDecimal, toInstant } from './forms.ts'
import { TABLE_COLUMNS } from './order-columns.ts'

/** A returned line with its line item; undefined when the order no longer has it. */
interface ReturnedLine {
  readonly item: OrderReturnLineItem
  readonly line: OrderLineItem | undefined
}

/** A return with its order. */
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

/** The columns of a record's part, read from the part. */
const columnsOf = <T, Part>(columns: Columns<Part>, partOf: (record: T) => Part): Columns<T> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, read]) => [
      name,
      (record: T, digits: number) => read(partOf(record), digits),
    ]),
  )

const { own, lists } = TABLE_COLUMNS.returns

const returnLineItems: Columns<ReturnedLine> = {
  ...columnsOf(readersOf(lists.return_line_items), ({ item }) => item),
  line_item_code: ({ line }) => line?.code ?? null,
  line_item_item_type: ({ line }) => (line === undefined || line.item_type === '' ? null : line.item_type),
  line_item_name: ({ line }) => line?.name ?? null,
  line_item_total_amount: ({ line }, digits) =>
    line === undefined ? null : toDecimal(line.total_amount_cents, digits),
  line_item_tax_amount: ({ line }, digits) =>
    line === undefined ? null : toDecimal(line.tax_amount_cents, digits),
  line_item_tax_rate: ({ line }) => line?.tax_rate ?? null,
  line_item_updated_at: ({ line }) => (line === undefined ? null : toInstant(line.updated_at)),
}

const instantOrNull = (instant: string | null): string | null =>
  instant === null ? null : toInstant(instant)

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

const columns = joinedColumns<Returned>([
  ownColumns({
    ...orderPart,
    ...columnsOf<Returned, unknown>(readersOf(own), ({ of }) => of),
    archived: ({ of }) => of.archived_at !== null,
    aggregated_details: details,
    current_date: ({ of }) => toInstant(currentDateOfReturn(of)),
    restocked_at: ({ of }) => instantOrNull(restockedAt(of)),
  }),
  listColumns('return_line_items', ({ lines }) => lines, returnLineItems),
  listColumns('tags', ({ of }) => of.tags, readersOf(lists.tags)),
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
  returnsOf(document).map((returned) => columns.valuesOf(returned, document.minor_unit_digits))

/** The same by name. */
export const toRowsReturns = (document: OrderDocument): readonly Row[] =>
  toValuesReturns(document).map((values) => toRow(RETURN_COLUMNS, values))
