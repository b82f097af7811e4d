/** An order document as the attribute paths see it, written apart from the service's own mapping. Numbers are exact. */
import type { OrderDocument, OrderReturn } from '@merx/order-feed/order-document'

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

type Text = string | null | undefined

const textOf = (values: readonly Text[]): string => [...new Set(values.filter(Boolean))].join('\n')

const peopleOf = (d: OrderDocument): readonly Text[] => [
  d.market.name,
  d.customer?.email,
  d.customer?.group_name,
  d.customer?.reference,
]

const placesOf = (address: OrderReturn['origin_address']): readonly Text[] => [
  address?.city,
  address?.zip_code,
  address?.state_code,
  address?.country_code,
]

const currentDateOf = (d: OrderDocument): Date => {
  const known = [d.placed_at, d.approved_at].filter((at) => at !== null).sort()
  const fallback = known.at(-1) ?? d.created_at
  const own = { placed: d.placed_at, approved: d.approved_at, cancelled: d.cancelled_at }[d.status] ?? null
  return new Date(own ?? fallback)
}

/** Placed elsewhere, before it was known here. */
const isImported = ({ placed_at: placed, created_at: created }: OrderDocument): boolean =>
  placed !== null && Date.parse(placed) < Date.parse(created)

const orderOf = (d: OrderDocument, money: (cents: number) => Fixed): View => {
  const refunds = d.refunds.reduce((sum, refund) => sum + refund.amount_cents, 0)
  const amounts = Object.fromEntries(
    Object.entries(d.amounts).map(([name, cents]) => [
      name === 'total_with_taxes' ? 'total_amount_with_taxes' : `${name}_amount`,
      money(cents),
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
    seconds_in_draft: isImported(d) ? null : seconds(d.created_at, d.placed_at),
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
    aggregated_details: textOf([
      d.id,
      d.number,
      d.reference,
      d.status,
      d.payment_status,
      d.fulfillment_status,
      d.currency_code,
      d.language_code,
      d.coupon_code,
      d.gift_card_code,
      d.affiliate_code,
      ...peopleOf(d),
      d.billing_address &&
        `${d.billing_address.first_name ?? ''} ${d.billing_address.last_name ?? ''}`.trim(),
      d.billing_address?.company,
      ...placesOf(d.billing_address),
      ...placesOf(d.shipping_address),
      d.payment_method?.name,
      d.payment_method?.source_type,
      ...d.tags.map((tag) => tag.name),
      ...d.line_items.flatMap((item) => [item.code, item.name]),
      ...d.shipments.flatMap((shipment) => [shipment.number, shipment.reference]),
      ...d.refunds.map((refund) => refund.number),
    ]),
  }
}

const lineItemsOf = (d: OrderDocument, money: (cents: number) => Fixed): readonly View[] =>
  d.line_items.map((item) => ({
    id: item.id,
    item_id: item.item_id,
    item_type: item.item_type === '' ? null : item.item_type,
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

type Money = (cents: number) => Fixed

const moneyOf =
  (d: OrderDocument): Money =>
  (cents) => ({ fixed: BigInt(cents) * 10n ** BigInt(SCALE - d.minor_unit_digits) })

const returnLinesOf = (d: OrderDocument, of: OrderReturn, money: Money): readonly View[] =>
  of.line_items.map((item) => {
    const line = d.line_items.find(({ id }) => id === item.line_item_id)
    return {
      line_item_id: item.line_item_id,
      line_item_code: line?.code ?? null,
      line_item_item_type: line === undefined || line.item_type === '' ? null : line.item_type,
      line_item_name: line?.name ?? null,
      line_item_total_amount: line === undefined ? null : money(line.total_amount_cents),
      line_item_tax_amount: line === undefined ? null : money(line.tax_amount_cents),
      line_item_tax_rate: line === undefined ? null : toFixed(line.tax_rate),
      line_item_updated_at: date(line?.updated_at ?? null),
      quantity: toFixed(item.quantity),
      created_at: date(item.created_at),
      updated_at: date(item.updated_at),
      restocked_at: date(item.restocked_at),
    }
  })

const returnOf = (d: OrderDocument, of: OrderReturn): View => {
  const restocked = of.line_items.map(({ restocked_at }) => restocked_at).sort()
  const own = {
    approved: of.approved_at,
    cancelled: of.cancelled_at,
    shipped: of.shipped_at,
    rejected: of.rejected_at,
    received: of.received_at,
    refunded: of.refunded_at ?? of.received_at,
  }[of.status]
  return {
    id: of.id,
    number: of.number,
    order_id: d.id,
    status: of.status,
    reference: of.reference,
    reference_origin: of.reference_origin,
    mode: d.mode,
    currency_code: d.currency_code,
    skus_count: toFixed(of.skus_count),
    archived: of.archived_at !== null,
    current_date: date(own ?? of.created_at),
    created_at: date(of.created_at),
    updated_at: date(of.updated_at),
    approved_at: date(of.approved_at),
    archived_at: date(of.archived_at),
    cancelled_at: date(of.cancelled_at),
    received_at: date(of.received_at),
    rejected_at: date(of.rejected_at),
    shipped_at: date(of.shipped_at),
    restocked_at: restocked.includes(null) ? null : date(restocked.at(-1) ?? null),
    aggregated_details: textOf([
      of.id,
      of.number,
      of.reference,
      of.status,
      d.id,
      d.number,
      d.currency_code,
      ...peopleOf(d),
      of.stock_location?.name,
      ...placesOf(of.origin_address),
      ...placesOf(of.destination_address),
      ...of.tags.map((tag) => tag.name),
      ...of.line_items.flatMap(({ line_item_id }) => {
        const line = d.line_items.find(({ id }) => id === line_item_id)
        return [line?.code, line?.name]
      }),
    ]),
  }
}

/** The returns of an order, each as a record of its own. */
export const toReturnViews = (d: OrderDocument): readonly View[] =>
  d.returns.map((of) => ({
    return: returnOf(d, of),
    organization: { ...d.organization },
    market: { ...d.market, number: toFixed(d.market.number) },
    customer: { ...d.customer },
    origin_address: { ...of.origin_address },
    destination_address: { ...of.destination_address },
    stock_location: { ...of.stock_location },
    return_line_items: returnLinesOf(d, of, moneyOf(d)),
    tags: of.tags.map((tag) => ({ ...tag })),
    store_of_order: d.store_id,
  }))

export const toView = (d: OrderDocument): View => {
  const money = moneyOf(d)
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
