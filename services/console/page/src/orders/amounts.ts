/** The amounts of an order, as rows that add up to its total. */

export interface OrderAmounts {
  readonly subtotal_amount_cents?: number | null
  readonly discount_amount_cents?: number | null
  readonly adjustment_amount_cents?: number | null
  readonly shipping_amount_cents?: number | null
  readonly payment_method_amount_cents?: number | null
  readonly gift_card_amount_cents?: number | null
  readonly total_tax_amount_cents?: number | null
  readonly tax_included?: boolean | null
  readonly total_amount_with_taxes_cents?: number | null
}

export interface AmountRow {
  readonly label: string
  readonly cents: number
}

export interface AmountTable {
  readonly rows: readonly AmountRow[]
  /** Taxes that are inside the rows; undefined when they are a row of their own. */
  readonly includedTaxCents: number | undefined
  readonly totalCents: number
  /** What the rows leave of the total: zero, or a mistake that nobody should overlook. */
  readonly differenceCents: number
}

const ROWS = [
  ['Subtotal', 'subtotal_amount_cents'],
  ['Discount', 'discount_amount_cents'],
  ['Adjustments', 'adjustment_amount_cents'],
  ['Shipping', 'shipping_amount_cents'],
  ['Payment method', 'payment_method_amount_cents'],
] as const satisfies readonly (readonly [string, keyof OrderAmounts])[]

export const amountTable = (order: OrderAmounts): AmountTable => {
  const taxes = order.total_tax_amount_cents ?? 0
  const isIncluded = order.tax_included === true
  const all = [
    ...ROWS.map(([label, name]) => ({ label, cents: order[name] ?? 0 })),
    ...(isIncluded ? [] : [{ label: 'Taxes', cents: taxes }]),
    { label: 'Gift card', cents: order.gift_card_amount_cents ?? 0 },
  ]
  const totalCents = order.total_amount_with_taxes_cents ?? 0
  return {
    rows: all.filter(({ label, cents }) => label === 'Subtotal' || cents !== 0),
    includedTaxCents: isIncluded ? taxes : undefined,
    totalCents,
    differenceCents: totalCents - all.reduce((sum, { cents }) => sum + cents, 0),
  }
}
