/** Rows of an order and its lines → input of the arithmetic, and its outcome → columns. Pure. */
import type { Row } from '@merx/jsonapi/attributes'
import type { PublicIds } from '@merx/jsonapi/public-id'
import type { RowOf } from '../../engine/database/rows.ts'
import { columnsOf } from '../../engine/database/rows.ts'
import { idTypeOfItem } from '../../promotions/promotion-types.ts'
import type {
  ComputedOrder,
  DiscountShare,
  LineAmounts,
  LineGroup,
  OrderTotalsInput,
  PromotionShare,
  TotalsGiftCard,
  TotalsPromotion,
} from './order-totals.ts'

/** Tax rates are counted in hundred-millionths, as the column keeps them: numeric(10,8). */
const RATE_UNIT = 100_000_000

const amountOf = (row: Row, column: string): number => {
  const value = row[column]
  return typeof value === 'number' ? value : 0
}

/** In hundred-millionths. */
export const rateOf = (value: unknown): number => Math.round(Number(value ?? 0) * RATE_UNIT)

/** What a line counts as; undefined for what takes something off: promotions and gift cards that are redeemed. */
export const groupOf = (line: Row): LineGroup | undefined => {
  switch (line['item_type']) {
    case null:
    case 'skus':
    case 'bundles':
      return 'goods'
    case 'gift_cards':
      return amountOf(line, 'unit_amount_cents') < 0 ? undefined : 'gift_cards'
    case 'shipments':
      return 'shipping'
    case 'payment_methods':
      return 'payment_method'
    case 'adjustments':
      return 'adjustment'
    default:
      return undefined
  }
}

/** What a gift card of the shop pays; lines of imports may name one that another system had. */
export const isRedeemedGiftCard = (line: Row): boolean =>
  line['item_type'] === 'gift_cards' &&
  amountOf(line, 'unit_amount_cents') < 0 &&
  (line['gift_card_id'] ?? null) !== null

/** Whether the line is something a customer chose, so that an order with it is more than a draft. */
export const isPurchasable = (line: Row): boolean => {
  const group = groupOf(line)
  return group === 'goods' || group === 'gift_cards'
}

const isPromotion = (line: Row): boolean => {
  const { item_type: type } = columnsOf('LineItem', line)
  return type?.endsWith('_promotions') === true || type === 'discount_engine_items'
}

/** Makes the public ids of rows. */
export type PublicIdsOf = Pick<PublicIds, 'encode'>

/** The key of a promotion or adjustment in `discount_breakdown`: type and public id of the item, or of the line that has none. */
export const discountKeyOf = (
  { item_type: type, item_id: item = null, id }: Partial<RowOf<'LineItem'>>,
  ids: PublicIdsOf,
): string => {
  if (typeof type === 'string' && item !== null) return `${type}-${ids.encode(idTypeOfItem(type), item)}`
  return `line_items-${id === undefined ? 'new' : ids.encode('line_items', id)}`
}

const nameOf = (line: Row): string => columnsOf('LineItem', line).name ?? ''

/**
 * A promotion takes what its lines' breakdowns say. One of an import, whose lines say nothing, takes again what it took, as far as
 * the lines it is for are still worth it.
 */
const toPromotion = (line: Row, counted: SplitLines['counted'], ids: PublicIdsOf): TotalsPromotion => {
  const key = discountKeyOf(columnsOf('LineItem', line), ids)
  const shares = counted.map((each) => shareOf(each.line, key))
  return {
    key,
    name: nameOf(line),
    amountCents: Math.max(0, -amountOf(line, 'unit_amount_cents')),
    couponCode: typeof line['coupon_code'] === 'string' ? line['coupon_code'] : null,
    appliesTo: line['item_type'] === 'free_shipping_promotions' ? 'shipping' : 'goods',
    ...(shares.some((share) => share !== undefined) ? { shares } : {}),
  }
}

const shareOf = (line: Row, key: string): PromotionShare | undefined => {
  const breakdown = columnsOf('LineItem', line).discount_breakdown ?? {}
  const share = (breakdown as Readonly<Record<string, Partial<DiscountShare> | undefined>>)[key]
  if (typeof share?.cents !== 'number' || typeof share.weight !== 'number') return undefined
  return { cents: Math.max(0, -share.cents), weight: share.weight }
}

/** Of a line that a switch of the order taxes or not, the rate is the order's while its own is zero. */
const taxRateOf = (line: Row, group: LineGroup, order: Row): number => {
  const own = rateOf(line['tax_rate'])
  return own === 0 && group !== 'goods' ? rateOf(order['tax_rate']) : own
}

export interface SplitLines {
  /** Lines with an amount of their own, each with its group. */
  readonly counted: readonly { readonly line: Row; readonly group: LineGroup }[]
  readonly promotions: readonly Row[]
  /** That of the gift card that the order pays with. */
  readonly giftCard: Row | undefined
}

export const splitLines = (lines: readonly Row[]): SplitLines => ({
  counted: lines.flatMap((line) => {
    const group = groupOf(line)
    return group === undefined ? [] : [{ line, group }]
  }),
  promotions: lines.filter(isPromotion),
  giftCard: lines.find(isRedeemedGiftCard),
})

export const toTotalsInput = (
  order: Row,
  { counted, promotions, giftCard }: SplitLines,
  ids: PublicIdsOf,
): OrderTotalsInput => ({
  taxIncluded: order['tax_included'] === true,
  freightTaxable: order['freight_taxable'] === true,
  paymentMethodTaxable: order['payment_method_taxable'] === true,
  adjustmentTaxable: order['adjustment_taxable'] === true,
  giftCardTaxable: order['gift_card_taxable'] === true,
  lines: counted.map(({ line, group }) => ({
    group,
    quantity: amountOf(line, 'quantity'),
    unitAmountCents: amountOf(line, 'unit_amount_cents'),
    optionsAmountCents: amountOf(line, 'options_amount_cents'),
    taxRate: taxRateOf(line, group, order),
    ...(columnsOf('LineItem', line).distribute_discount === true
      ? { allocated: { key: discountKeyOf(columnsOf('LineItem', line), ids), name: nameOf(line) } }
      : {}),
  })),
  promotions: promotions.map((line) => toPromotion(line, counted, ids)),
  giftCard: toGiftCard(order, giftCard, ids),
})

/** The columns of a line that follow from the order as a whole. */
export const lineColumns = (amounts: LineAmounts): Row => ({
  total_amount_cents: amounts.totalCents,
  discount_cents: amounts.discountCents,
  tax_amount_cents: amounts.taxCents,
  tax_rate: (amounts.taxRate / RATE_UNIT).toFixed(8),
  discount_breakdown: Object.keys(amounts.discountBreakdown).length === 0 ? null : amounts.discountBreakdown,
})

/** Of an order that was imported with a gift card of another system, what that paid. */
const toGiftCard = (order: Row, line: Row | undefined, ids: PublicIdsOf): TotalsGiftCard => {
  if (line === undefined)
    return { balanceCents: Math.max(0, -amountOf(order, 'gift_card_amount_cents')), coversTaxes: false }
  const isAllocated = columnsOf('LineItem', line).distribute_discount === true
  return {
    balanceCents: -amountOf(line, 'unit_amount_cents'),
    allocated: isAllocated
      ? { key: discountKeyOf(columnsOf('LineItem', line), ids), name: nameOf(line) }
      : undefined,
    coversTaxes: !isAllocated,
  }
}

/** What a promotion or gift card took, zero or negative. */
export const promotionColumns = (cents: number): Row => ({ total_amount_cents: cents })

/** The columns of an order that are sums over its lines. */
export const orderColumns = ({ totals }: ComputedOrder, { counted }: SplitLines): Row => ({
  subtotal_amount_cents: totals.subtotal,
  subtotal_tax_amount_cents: totals.subtotalTax,
  subtotal_taxable_amount_cents: totals.subtotalTaxable,
  shipping_amount_cents: totals.shipping,
  shipping_tax_amount_cents: totals.shippingTax,
  shipping_taxable_amount_cents: totals.shippingTaxable,
  payment_method_amount_cents: totals.paymentMethod,
  payment_method_tax_amount_cents: totals.paymentMethodTax,
  payment_method_taxable_amount_cents: totals.paymentMethodTaxable,
  adjustment_amount_cents: totals.adjustment,
  adjustment_tax_amount_cents: totals.adjustmentTax,
  adjustment_taxable_amount_cents: totals.adjustmentTaxable,
  discount_amount_cents: totals.discount,
  gift_card_amount_cents: totals.giftCard,
  total_amount_cents: totals.total,
  total_tax_amount_cents: totals.totalTax,
  total_taxable_amount_cents: totals.totalTaxable,
  total_amount_with_taxes_cents: totals.totalWithTaxes,
  skus_count: counted
    .filter(({ line }) => line['item_type'] === 'skus' || line['item_type'] === 'bundles')
    .reduce((sum, { line }) => sum + amountOf(line, 'quantity'), 0),
})
