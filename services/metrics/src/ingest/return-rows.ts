/** An order document → the rows of its returns. Market, customer, currency and line items are those of the order. */
import type {
  OrderDocument,
  OrderLineItem,
  OrderReturn,
  OrderReturnLineItem,
} from '@merx/order-feed/order-document'
import type { Row } from '../engine/engine.ts'
import { detailsOf, namesOf } from './aggregated-details.ts'
import { toAddress, toColumns, toDecimal, toInstant, toInstantOrNull, toNamed } from './columns.ts'
import { currentDateOfReturn, restockedAt } from './derived.ts'

const returnDetails = (document: OrderDocument, of: OrderReturn, lines: readonly ReturnedLine[]): string =>
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

/** A line that comes back, beside the line item that it is; undefined when the order has it no more. */
interface ReturnedLine {
  readonly item: OrderReturnLineItem
  readonly line: OrderLineItem | undefined
}

const toReturnLineItems = (lines: readonly ReturnedLine[], money: (cents: number) => string): Row =>
  toColumns('return_line_items', lines, {
    line_item_id: ({ item }) => item.line_item_id,
    line_item_code: ({ line }) => line?.code ?? null,
    line_item_item_type: ({ line }) => line?.item_type ?? null,
    line_item_name: ({ line }) => line?.name ?? null,
    line_item_total_amount: ({ line }) => (line === undefined ? null : money(line.total_amount_cents)),
    line_item_tax_amount: ({ line }) => (line === undefined ? null : money(line.tax_amount_cents)),
    line_item_tax_rate: ({ line }) => line?.tax_rate ?? null,
    line_item_updated_at: ({ line }) => (line === undefined ? null : toInstant(line.updated_at)),
    quantity: ({ item }) => item.quantity,
    created_at: ({ item }) => toInstant(item.created_at),
    updated_at: ({ item }) => toInstant(item.updated_at),
    restocked_at: ({ item }) => toInstantOrNull(item.restocked_at),
  })

const toDates = (of: OrderReturn): Row => ({
  current_date: toInstant(currentDateOfReturn(of)),
  created_at: toInstant(of.created_at),
  updated_at: toInstant(of.updated_at),
  approved_at: toInstantOrNull(of.approved_at),
  archived_at: toInstantOrNull(of.archived_at),
  cancelled_at: toInstantOrNull(of.cancelled_at),
  received_at: toInstantOrNull(of.received_at),
  rejected_at: toInstantOrNull(of.rejected_at),
  restocked_at: toInstantOrNull(restockedAt(of)),
  shipped_at: toInstantOrNull(of.shipped_at),
})

const toOrderPart = (document: OrderDocument): Row => ({
  version: document.version,
  is_deleted: 0,
  organization_id: document.organization.id,
  organization_name: document.organization.name,
  organization_slug: document.organization.slug,
  mode: document.mode,
  order_id: document.id,
  store_id: document.store_id,
  currency_code: document.currency_code,
  market_id: document.market.id,
  market_name: document.market.name,
  market_number: document.market.number,
  customer_email: document.customer?.email ?? null,
  customer_group_name: document.customer?.group_name ?? null,
  customer_id: document.customer?.id ?? null,
})

/** Every column of the returns table, for each return of the order. */
export const toRowsReturns = (document: OrderDocument): readonly Row[] =>
  document.returns.map((of) => {
    const lines = of.line_items.map((item) => ({
      item,
      line: document.line_items.find(({ id }) => id === item.line_item_id),
    }))
    return {
      ...toOrderPart(document),
      id: of.id,
      number: of.number,
      status: of.status,
      reference: of.reference,
      reference_origin: of.reference_origin,
      skus_count: of.skus_count,
      archived: of.archived_at !== null,
      aggregated_details: returnDetails(document, of, lines),
      ...toDates(of),
      ...toAddress('origin_address', of.origin_address),
      ...toAddress('destination_address', of.destination_address),
      ...toNamed('stock_location', of.stock_location),
      ...toReturnLineItems(lines, (cents) => toDecimal(cents, document.minor_unit_digits)),
      ...toColumns('tags', of.tags, { id: ({ id }) => id, name: ({ name }) => name }),
    }
  })
