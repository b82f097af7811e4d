/**
 * The arithmetic of an order (lifecycles.md 1.7), in integers only. Lines and promotions in, amounts of each line and
 * of the order out. Rounding is half up, away from zero; where a discount does not divide evenly, the cents left over
 * go to the lines with the largest remainders, of equal ones to the line that is worth more (docs/adr/0082).
 */
import { shareOut } from './allocate.ts'

/** What a line stands for in the totals. */
export type LineGroup = 'goods' | 'gift_cards' | 'shipping' | 'payment_method' | 'adjustment'

export interface TotalsLine {
  readonly group: LineGroup
  readonly quantity: number
  readonly unitAmountCents: number
  readonly optionsAmountCents?: number
  /** In hundred-millionths: 22_000_000 is 22 %. */
  readonly taxRate: number
  /** Of a negative adjustment: it is allocated to the goods before tax, under this key. */
  readonly allocated?: { readonly key: string; readonly name: string }
}

export interface TotalsPromotion {
  readonly key: string
  readonly name: string
  /** How much to take off, zero or more; never more than the lines it is for are worth. */
  readonly amountCents: number
  readonly couponCode: string | null
  /** The lines it is taken from. */
  readonly appliesTo: 'goods' | 'shipping'
}

export interface OrderTotalsInput {
  readonly taxIncluded: boolean
  readonly freightTaxable: boolean
  readonly paymentMethodTaxable: boolean
  readonly adjustmentTaxable: boolean
  readonly giftCardTaxable: boolean
  readonly lines: readonly TotalsLine[]
  readonly promotions: readonly TotalsPromotion[]
  /** What is left on the gift card in use, zero or more. */
  readonly giftCardBalanceCents: number
}

export interface DiscountShare {
  readonly name: string
  /** Zero or negative. */
  readonly cents: number
  /** The line's part of the lines the promotion is for, 0 to 1. */
  readonly weight: number
  readonly coupon_code: string | null
}

export interface LineAmounts {
  readonly totalCents: number
  /** Zero or negative. */
  readonly discountCents: number
  readonly taxCents: number
  /** Zero when the line is not taxed. */
  readonly taxRate: number
  readonly discountBreakdown: Readonly<Record<string, DiscountShare>>
}

/** All in the smallest unit of the currency; `…Tax` and `…Taxable` as in the attributes of orders. */
export interface OrderTotals {
  readonly subtotal: number
  readonly subtotalTax: number
  readonly subtotalTaxable: number
  readonly shipping: number
  readonly shippingTax: number
  readonly shippingTaxable: number
  readonly paymentMethod: number
  readonly paymentMethodTax: number
  readonly paymentMethodTaxable: number
  readonly adjustment: number
  readonly adjustmentTax: number
  readonly adjustmentTaxable: number
  readonly discount: number
  readonly giftCard: number
  readonly total: number
  readonly totalTax: number
  readonly totalTaxable: number
  readonly totalWithTaxes: number
}

export interface ComputedOrder {
  /** In the order of the input. */
  readonly lines: readonly LineAmounts[]
  /** What each promotion took, zero or negative, in the order of the input. */
  readonly promotions: readonly number[]
  readonly totals: OrderTotals
}

const RATE_UNIT = 100_000_000n

/** a / b, rounded half away from zero. */
const divideHalfUp = (dividend: bigint, divisor: bigint): number => {
  const doubled = 2n * (dividend < 0n ? -dividend : dividend) + divisor
  const rounded = Number(doubled / (2n * divisor))
  return dividend < 0n ? -rounded : rounded
}

/** The tax on an amount, or, when it is included, the tax inside it. */
export const taxOf = (amountCents: number, taxRate: number, taxIncluded: boolean): number => {
  if (amountCents === 0 || taxRate === 0) return 0
  const rate = BigInt(taxRate)
  return divideHalfUp(BigInt(amountCents) * rate, taxIncluded ? RATE_UNIT + rate : RATE_UNIT)
}

/** A share of an amount by a rate in hundred-millionths, rounded half up: 10 % of 995 is 100. */
export const partOf = (amountCents: number, rate: number): number =>
  divideHalfUp(BigInt(amountCents) * BigInt(rate), RATE_UNIT)

interface WorkingLine {
  readonly line: TotalsLine
  readonly totalCents: number
  readonly taxRate: number
  discountCents: number
  readonly discountBreakdown: Record<string, DiscountShare>
}

export const computeOrderTotals = (input: OrderTotalsInput): ComputedOrder => {
  const lines = input.lines.map((line): WorkingLine => {
    const totalCents = line.unitAmountCents * line.quantity + (line.optionsAmountCents ?? 0)
    const taxRate = isTaxed(line, totalCents, input) ? line.taxRate : 0
    return { line, totalCents, taxRate, discountCents: 0, discountBreakdown: {} }
  })
  const promotions = input.promotions.map((promotion) => -applyPromotion(promotion, lines))
  allocateAdjustments(lines)
  const { taxIncluded } = input
  return {
    lines: lines.map(({ totalCents, discountCents, taxRate, discountBreakdown }) => ({
      totalCents,
      discountCents,
      taxCents: taxOf(totalCents + discountCents, taxRate, taxIncluded),
      taxRate,
      discountBreakdown,
    })),
    promotions,
    totals: sumUp(lines, promotions, input),
  }
}

/** Credits are not taxed, and everything but goods only where the tax rule says so. */
const isTaxed = ({ group }: TotalsLine, totalCents: number, input: OrderTotalsInput): boolean => {
  switch (group) {
    case 'goods':
      return true
    case 'gift_cards':
      return input.giftCardTaxable
    case 'shipping':
      return input.freightTaxable
    case 'payment_method':
      return input.paymentMethodTaxable
    case 'adjustment':
      return input.adjustmentTaxable && totalCents > 0
  }
}

/** Negative adjustments that say so reduce the goods before tax, the largest first, so that the order of lines does not matter. */
const allocateAdjustments = (lines: readonly WorkingLine[]): void => {
  const negative = lines.filter(({ totalCents }) => totalCents < 0)
  for (const { line, totalCents } of negative.toSorted((a, b) => a.totalCents - b.totalCents)) {
    if (line.allocated === undefined) continue
    applyPromotion(
      { ...line.allocated, amountCents: -totalCents, couponCode: null, appliesTo: 'goods' },
      lines,
    )
  }
}

/** Allocates what a promotion or adjustment takes to its lines and gives how much that is: no line goes below zero. */
const applyPromotion = (promotion: TotalsPromotion, lines: readonly WorkingLine[]): number => {
  // Of lines with the same remainder the first gets the cent; sorted, they are the same whatever the order of lines.
  const matching = lines
    .filter(({ line }) => line.group === promotion.appliesTo)
    .toSorted((a, b) => worthOf(b) - worthOf(a) || b.taxRate - a.taxRate || b.totalCents - a.totalCents)
  const worth = matching.map(worthOf)
  const sum = worth.reduce((total, cents) => total + cents, 0)
  const taken = Math.min(promotion.amountCents, sum)
  const shares = shareOut(taken, worth)
  for (const [index, working] of matching.entries()) {
    const cents = shares[index] ?? 0
    if (cents === 0) continue
    working.discountCents -= cents
    working.discountBreakdown[promotion.key] = {
      name: promotion.name,
      cents: -cents,
      weight: Number(((worth[index] ?? 0) / sum).toFixed(8)),
      coupon_code: promotion.couponCode,
    }
  }
  return taken
}

/** What is left of a line after the discounts so far. */
const worthOf = ({ totalCents, discountCents }: WorkingLine): number =>
  Math.max(0, totalCents + discountCents)

interface GroupSum {
  readonly amount: number
  readonly tax: number
}

/** Gross of discounts, as the attributes of orders are. */
const sumOf = (
  lines: readonly WorkingLine[],
  groups: readonly LineGroup[],
  taxIncluded: boolean,
): GroupSum => {
  const members = lines.filter(({ line }) => groups.includes(line.group))
  return {
    amount: members.reduce((sum, { totalCents }) => sum + totalCents, 0),
    tax: members.reduce((sum, { totalCents, taxRate }) => sum + taxOf(totalCents, taxRate, taxIncluded), 0),
  }
}

const sumUp = (
  lines: readonly WorkingLine[],
  promotions: readonly number[],
  { taxIncluded, giftCardBalanceCents }: OrderTotalsInput,
): OrderTotals => {
  const taxable = ({ amount, tax }: GroupSum): number => (taxIncluded ? amount - tax : amount)
  const goods = sumOf(lines, ['goods', 'gift_cards'], taxIncluded)
  const shipping = sumOf(lines, ['shipping'], taxIncluded)
  const payment = sumOf(lines, ['payment_method'], taxIncluded)
  const adjustment = sumOf(lines, ['adjustment'], taxIncluded)
  const discount = promotions.reduce((sum, cents) => sum + cents, 0)
  const discountTax = lines.reduce(
    (sum, { discountCents, taxRate }) => sum + taxOf(discountCents, taxRate, taxIncluded),
    0,
  )
  const totalTax = goods.tax + shipping.tax + payment.tax + adjustment.tax + discountTax
  const due = Math.max(0, goods.amount + shipping.amount + payment.amount + discount + adjustment.amount)
  const giftCard = giftCardBalanceCents === 0 ? 0 : -Math.min(giftCardBalanceCents, due)
  const total = due + giftCard
  return {
    subtotal: goods.amount,
    subtotalTax: goods.tax,
    subtotalTaxable: taxable(goods),
    shipping: shipping.amount,
    shippingTax: shipping.tax,
    shippingTaxable: taxable(shipping),
    paymentMethod: payment.amount,
    paymentMethodTax: payment.tax,
    paymentMethodTaxable: taxable(payment),
    adjustment: adjustment.amount,
    adjustmentTax: adjustment.tax,
    adjustmentTaxable: taxable(adjustment),
    discount,
    giftCard,
    total,
    totalTax,
    // A gift card pays and takes nothing off the base; credits that are not taxed leave no negative one.
    totalTaxable: taxIncluded ? Math.max(0, due - totalTax) : due,
    totalWithTaxes: taxIncluded ? total : total + totalTax,
  }
}
