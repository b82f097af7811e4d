/** All rows that belong to the orders of one shop, read in one statement: what the laws of the model are about. */
import type { Pool } from 'pg'

export interface OrderRow {
  readonly id: number
  readonly status: string
  readonly payment_status: string
  readonly fulfillment_status: string
  readonly total_amount_cents: number
  readonly total_tax_amount_cents: number
  readonly total_amount_with_taxes_cents: number
  readonly place_total_amount_cents: number | null
  readonly subtotal_amount_cents: number
  readonly shipping_amount_cents: number
  readonly payment_method_amount_cents: number
  readonly discount_amount_cents: number
  readonly adjustment_amount_cents: number
  readonly gift_card_amount_cents: number
  readonly tax_included: boolean
}

export interface LineRow {
  readonly id: number
  readonly order_id: number
  readonly item_type: string
  readonly quantity: number
  readonly unit_amount_cents: number
  readonly options_amount_cents: number
  readonly total_amount_cents: number
  readonly tax_amount_cents: number
}

export interface ShipmentRow {
  readonly id: number
  readonly order_id: number
  readonly status: string
}

export interface StockLineRow {
  readonly id: number
  readonly shipment_id: number | null
  readonly line_item_id: number | null
  readonly stock_item_id: number | null
  readonly quantity: number
  readonly decremented_at: string | null
}

export interface TransferRow {
  readonly id: number
  readonly shipment_id: number | null
  readonly line_item_id: number | null
  readonly status: string
  readonly quantity: number
}

export interface ReservationRow {
  readonly id: number
  readonly status: string
  readonly order_id: number | null
  readonly line_item_id: number | null
  readonly stock_line_item_id: number | null
  readonly stock_transfer_id: number | null
  readonly stock_item_id: number
  readonly quantity: number
}

export interface TransactionRow {
  readonly id: number
  readonly order_id: number
  readonly type: string
  readonly succeeded: boolean
  readonly amount_cents: number
  readonly capture_amount_cents: number
  readonly void_amount_cents: number
  readonly refund_amount_cents: number
  readonly reference_authorization_id: number | null
  readonly reference_capture_id: number | null
}

export interface Books {
  readonly orders: readonly OrderRow[]
  readonly line_items: readonly LineRow[]
  readonly shipments: readonly ShipmentRow[]
  readonly stock_line_items: readonly StockLineRow[]
  readonly stock_transfers: readonly TransferRow[]
  readonly stock_reservations: readonly ReservationRow[]
  readonly stock_items: readonly { readonly id: number; readonly quantity: number }[]
  readonly reserved_stocks: readonly {
    readonly id: number
    readonly stock_item_id: number
    readonly quantity: number
  }[]
  readonly transactions: readonly TransactionRow[]
  readonly prices: readonly { readonly id: number; readonly amount_cents: number }[]
  readonly wire_transfers: readonly { readonly id: number; readonly order_id: number }[]
}

export interface VersionRow {
  readonly id: number
  readonly resource_type: string
  readonly record_id: number
  readonly event: 'create' | 'update' | 'destroy'
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>
}

export interface EventRow {
  readonly id: number
  readonly name: string
  readonly resource_type: string
  readonly record_id: number
}

/** What was logged since the page before. */
export interface Log {
  readonly versions: readonly VersionRow[]
  readonly events: readonly EventRow[]
}

/** Numbers of what a sequence is about. */
export interface ShopRows {
  readonly orders: readonly number[]
  readonly skus: readonly number[]
}

/** Table → which of its rows, by the orders ($1) and SKUs ($2) of the shop. */
const ROWS: Readonly<Record<keyof Books, string>> = {
  orders: 'id = ANY($1)',
  line_items: 'order_id = ANY($1)',
  shipments: 'order_id = ANY($1)',
  stock_line_items: 'sku_id = ANY($2)',
  stock_transfers: 'sku_id = ANY($2)',
  stock_reservations: 'sku_id = ANY($2)',
  stock_items: 'sku_id = ANY($2)',
  reserved_stocks: 'sku_id = ANY($2)',
  transactions: 'order_id = ANY($1)',
  prices: 'sku_id = ANY($2)',
  wire_transfers: 'order_id = ANY($1)',
}

/** They change when a row is written without a change, and when an order is recalculated. */
const UNOBSERVED = `- '{updated_at,refreshed_at,version,changed_in,tax_calculations_count}'::text[]`

const PAGE = Object.entries(ROWS)
  .map(
    ([table, condition]) =>
      `'${table}', (SELECT coalesce(json_agg(to_jsonb(${table}) ${UNOBSERVED} ORDER BY id), '[]')
        FROM ${table} WHERE environment_id = 1 AND ${condition})`,
  )
  .join(', ')

const LOG = ['versions', 'events']
  .map(
    (table, at) =>
      `(SELECT coalesce(json_agg(to_jsonb(${table}) ORDER BY id), '[]')
        FROM ${table} WHERE environment_id = 1 AND id > $${at + 3}) AS ${table}`,
  )
  .join(', ')

const READ = `SELECT json_build_object(${PAGE}) AS page, ${LOG}`

export interface Page extends Log {
  readonly books: Books
}

/** Reads page after page of a shop. Nothing else may write meanwhile. */
export const openBooks = (pool: Pool, rows: ShopRows): (() => Promise<Page>) => {
  const last = { version: 0, event: 0 }
  return async () => {
    const { rows: read } = await pool.query<Log & { readonly page: Books }>({
      name: 'books',
      text: READ,
      values: [rows.orders, rows.skus, last.version, last.event],
    })
    const [{ page, versions, events } = { page: undefined, versions: [], events: [] }] = read
    if (page === undefined) throw new Error('the statement answers with one row')
    last.version = versions.at(-1)?.id ?? last.version
    last.event = events.at(-1)?.id ?? last.event
    return { books: page, versions, events }
  }
}
