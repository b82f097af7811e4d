/** An order document as the attribute paths see it, written apart from the service's own mapping. Numbers are exact. */
import type { OrderDocument } from '@merx/order-feed/order-document'
import { aggregatedDetails } from '../../src/ingest/aggregated-details.ts'

/** A number times 10^8. */
export type Fixed = { readonly fixed: bigint }
export type Value = string | boolean | Date | Fixed | readonly string[] | null
export interface View {
  readonly [key: string]: Value | View | readonly View[]
}

const SCALE = 8

export const toFixed = (text: string | number): Fixed => {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? []
  const digits = BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE))
  return { fixed: sign === '-' ? -digits : digits }
}

const seconds = (from: string | null, to: string | null): Fixed | null =>
  from === null || to === null ? null : toFixed(Math.round((Date.parse(to) - Date.parse(from)) / 1000))

const date = (text: string | null): Date | null => (text === null ? null : new Date(text))

const currentDateOf = (d: OrderDocument): Date => {
  const known = [d.placed_at, d.approved_at].filter((at) => at !== null).sort()
  const fallback = known.at(-1) ?? d.created_at
  const own = { placed: d.placed_at, approved: d.approved_at, cancelled: d.cancelled_at }[d.status] ?? null
  return new Date(own ?? fallback)
}

const orderOf = (d: OrderDocument, money: (cents: number) => Fixed): View => {
  const refunds = d.refunds.reduce((sum, refund) => sum + refund.amount_cents, 0)
  const amounts = Object.fromEntries(
    Object.entries(d.amounts).map(([name, cents]) => [
      name === 'total_with_taxes' ? 'total_amount_with_taxes' : `${name}_amount`,
      money(cents as number),
    ]),
  )
  const text = (key: keyof OrderDocument): string | null => d[key] as string | null
  const texts = [
    'id',
    'number',
    'reference',
    'reference_origin',
    'status',
    'payment_status',
    'fulfillment_status',
    'mode',
    'currency_code',
    'language_code',
    'country_code',
    'coupon_code',
    'gift_card_code',
    'affiliate_code',
    'customer_type',
    'link_id',
    'user_id',
    'store_id',
  ] as const
  const dates = [
    'created_at',
    'updated_at',
    'placed_at',
    'approved_at',
    'cancelled_at',
    'archived_at',
    'payment_updated_at',
    'fulfillment_updated_at',
  ] as const
  return {
    ...amounts,
    ...Object.fromEntries(texts.map((key) => [key, text(key)])),
    ...Object.fromEntries(dates.map((key) => [key, date(text(key))])),
    refunds_total_amount_with_taxes: money(refunds),
    total_amount_with_taxes_net_of_refunds: money(d.amounts.total_with_taxes - refunds),
    current_date: currentDateOf(d),
    placed_day_of_week:
      d.placed_at === null ? null : toFixed([7, 1, 2, 3, 4, 5, 6][new Date(d.placed_at).getUTCDay()] ?? 0),
    seconds_in_draft: seconds(d.created_at, d.placed_at),
    seconds_in_approved: seconds(d.placed_at, d.approved_at),
    seconds_in_placed: d.approved_at === null ? seconds(d.placed_at, d.cancelled_at) : null,
    skus_count: toFixed(d.skus_count),
    line_item_options_count: toFixed(d.line_item_options_count),
    shipments_count: toFixed(d.shipments_count),
    guest: d.guest,
    tax_included: d.tax_included,
    freight_taxable: d.freight_taxable,
    returned: d.returns.length > 0,
    refunded: d.refunds.length > 0,
    archived: d.archived_at !== null,
    discounted: d.amounts.discount !== 0,
    coupon: d.coupon_code !== null,
    gift_card: d.gift_card_code !== null,
    options: d.line_item_options_count > 0,
    aggregated_details: aggregatedDetails(d),
  }
}

const lineItemsOf = (d: OrderDocument, money: (cents: number) => Fixed): readonly View[] =>
  d.line_items.map((item) => ({
    id: item.id,
    item_id: item.item_id,
    item_type: item.item_type,
    code: item.code,
    name: item.name,
    quantity: toFixed(item.quantity),
    unit_amount: money(item.unit_amount_cents),
    options_amount: money(item.options_amount_cents),
    total_amount: money(item.total_amount_cents),
    tax_amount: money(item.tax_amount_cents),
    discount: money(item.discount_cents),
    tax_rate: toFixed(item.tax_rate),
    updated_at: date(item.updated_at),
    options: item.options.map((option) => ({
      id: option.id,
      name: option.name,
      quantity: toFixed(option.quantity),
      unit_amount: money(option.unit_amount_cents),
      total_amount: money(option.total_amount_cents),
    })),
  }))

const shipmentsOf = (d: OrderDocument, money: (cents: number) => Fixed): readonly View[] =>
  d.shipments.map((s) => ({
    id: s.id,
    number: s.number,
    status: s.status,
    reference: s.reference,
    reference_origin: s.reference_origin,
    cost_amount: money(s.cost_amount_cents),
    items: s.items,
    items_count: toFixed(s.items_count),
    created_at: date(s.created_at),
    updated_at: date(s.updated_at),
    on_hold_at: date(s.on_hold_at),
    picking_at: date(s.picking_at),
    packing_at: date(s.packing_at),
    ready_to_ship_at: date(s.ready_to_ship_at),
    shipped_at: date(s.shipped_at),
    delivered_at: date(s.delivered_at),
    cancelled_at: date(s.cancelled_at),
    seconds_in_picking: seconds(s.picking_at, s.packing_at ?? s.ready_to_ship_at ?? s.shipped_at),
    seconds_in_ready_to_ship: seconds(s.ready_to_ship_at, s.shipped_at),
    seconds_in_shipped: seconds(s.shipped_at, s.delivered_at),
    fulfillment_time: seconds(s.created_at, s.shipped_at),
    stock_location: { ...s.stock_location },
    shipping_method: { ...s.shipping_method },
    shipping_category: { ...s.shipping_category },
    tags: s.tags.map((tag) => ({ ...tag })),
  }))

export const toView = (d: OrderDocument): View => {
  const money = (cents: number): Fixed => ({
    fixed: BigInt(cents) * 10n ** BigInt(SCALE - d.minor_unit_digits),
  })
  return {
    order: orderOf(d, money),
    organization: { ...d.organization },
    market: { ...d.market, number: toFixed(d.market.number) },
    customer: { ...d.customer },
    billing_address: { ...d.billing_address },
    shipping_address: { ...d.shipping_address },
    payment_method: { ...d.payment_method },
    line_items: lineItemsOf(d, money),
    shipments: shipmentsOf(d, money),
    refunds: d.refunds.map(({ id, number, amount_cents }) => ({ id, number, amount: money(amount_cents) })),
    tags: d.tags.map((tag) => ({ ...tag })),
    resource_errors: d.resource_errors.map((error) => ({
      ...error,
      created_at: date(error.created_at),
      updated_at: date(error.updated_at),
    })),
  }
}
