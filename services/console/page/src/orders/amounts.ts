/** The amounts of an order, as rows that add up to its total. */
import { t } from '../language/text.ts'

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

const rowsOf = (order: OrderAmounts): readonly AmountRow[] => [
  { label: t('Subtotal'), cents: order.subtotal_amount_cents ?? 0 },
  { label: t('Discount'), cents: order.discount_amount_cents ?? 0 },
  { label: t('Adjustments'), cents: order.adjustment_amount_cents ?? 0 },
  { label: t('Shipping'), cents: order.shipping_amount_cents ?? 0 },
  { label: t('Payment method'), cents: order.payment_method_amount_cents ?? 0 },
]

export const amountTable = (order: OrderAmounts): AmountTable => {
  const taxes = order.total_tax_amount_cents ?? 0
  const isIncluded = order.tax_included === true
  const all = [
    ...rowsOf(order),
    ...(isIncluded ? [] : [{ label: t('Taxes'), cents: taxes }]),
    { label: t('Gift card'), cents: order.gift_card_amount_cents ?? 0 },
  ]
  const totalCents = order.total_amount_with_taxes_cents ?? 0
  return {
    // The subtotal is there even when it is nothing.
    rows: all.filter(({ cents }, at) => at === 0 || cents !== 0),
    includedTaxCents: isIncluded ? taxes : undefined,
    totalCents,
    differenceCents: totalCents - all.reduce((sum, { cents }) => sum + cents, 0),
  }
}
