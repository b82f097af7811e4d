/**
 * The arithmetic of an order (lifecycles.md 1.7), in integers only. Lines and promotions in, amounts of each line and
 * of the order out. Rounding is half up, away from zero; where a discount does not divide evenly, the cents left over
 * go to the lines with the largest remainders, of equal ones to the line that is worth more (docs/adr/0082).
 */
import { shareOut } from '../../promotions/allocate.ts'

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
  readonly appliesTo: 'goods' | 'shipping' | 'all'
  /** What each line gets, in the order of the lines; without it the amount is allocated to the lines by what they are worth. */
  readonly shares?: readonly (PromotionShare | undefined)[]
}

export interface PromotionShare {
  /** Zero or more. */
  readonly cents: number
  /** The line's part of the lines the promotion is for, 0 to 1. */
  readonly weight: number
}

export interface OrderTotalsInput {
  readonly taxIncluded: boolean
  readonly freightTaxable: boolean
  readonly paymentMethodTaxable: boolean
  readonly adjustmentTaxable: boolean
  readonly giftCardTaxable: boolean
  readonly lines: readonly TotalsLine[]
  readonly promotions: readonly TotalsPromotion[]
  /** The one that the order pays with. */
  readonly giftCard?: TotalsGiftCard | undefined
}

export interface TotalsGiftCard {
  /** What is left on it, zero or more. */
  readonly balanceCents: number
  /** It is allocated to all lines before tax, under this key; otherwise it pays and takes nothing off the base. */
  readonly allocated?: { readonly key: string; readonly name: string } | undefined
  /** It pays the tax that is added to the prices too. */
  readonly coversTaxes: boolean
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
  const sign = dividend < 0n ? -1n : 1n
  return Number((sign * (2n * sign * dividend + divisor)) / (2n * divisor))
}

/** The tax on an amount, or, when it is included, the tax inside it. */
export const taxOf = (amountCents: number, taxRate: number, taxIncluded: boolean): number => {
  const rate = BigInt(taxRate)
  return divideHalfUp(BigInt(amountCents) * rate, taxIncluded ? RATE_UNIT + rate : RATE_UNIT)
}

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
  const promotions = input.promotions.map((promotion) => {
    const { shares } = promotion
    return (
      0 - (shares === undefined ? applyPromotion(promotion, lines) : applyShares(promotion, shares, lines))
    )
  })
  allocateAdjustments(lines)
  const { taxIncluded } = input
  const giftCard = 0 - payWithGiftCard(lines, promotions, input)
  return {
    lines: lines.map(({ totalCents, discountCents, taxRate, discountBreakdown }) => ({
      totalCents,
      discountCents,
      taxCents: taxOf(totalCents + discountCents, taxRate, taxIncluded),
      taxRate,
      discountBreakdown,
    })),
    promotions,
    totals: sumUp(lines, promotions, giftCard, input),
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

/** What the gift card pays, zero or more. With the tax in the prices, or allocated before tax, nothing else is due. */
const payWithGiftCard = (
  lines: readonly WorkingLine[],
  promotions: readonly number[],
  { giftCard, taxIncluded }: OrderTotalsInput,
): number => {
  if (giftCard === undefined) return 0
  const { balanceCents, allocated, coversTaxes } = giftCard
  const due = dueOf(lines, promotions)
  if (allocated === undefined)
    return Math.min(balanceCents, coversTaxes && !taxIncluded ? due + totalTaxOf(lines, taxIncluded) : due)
  const amountCents = Math.min(balanceCents, due)
  applyPromotion({ ...allocated, amountCents, couponCode: null, appliesTo: 'all' }, lines)
  return amountCents
}

/** Allocates what a promotion, adjustment or gift card takes to its lines and gives how much that is: no line goes below zero. */
const applyPromotion = (promotion: TotalsPromotion, lines: readonly WorkingLine[]): number => {
  // Of lines with the same remainder the first gets the cent; sorted, they are the same whatever the order of lines.
  const matching = lines
    .filter(({ line }) => promotion.appliesTo === 'all' || line.group === promotion.appliesTo)
    .toSorted((a, b) => worthOf(b) - worthOf(a) || b.taxRate - a.taxRate || b.totalCents - a.totalCents)
  const worth = matching.map(worthOf)
  const sum = worth.reduce((total, cents) => total + cents, 0)
  const taken = Math.min(promotion.amountCents, sum)
  const shares = shareOut(taken, worth)
  for (const [index, working] of matching.entries()) {
    const weight = Number(((worth[index] ?? 0) / sum).toFixed(8))
    giveShare(working, promotion, { cents: shares[index] ?? 0, weight })
  }
  return taken
}

/** Gives each line what the promotion decided, as far as the line is still worth it. */
const applyShares = (
  promotion: TotalsPromotion,
  shares: readonly (PromotionShare | undefined)[],
  lines: readonly WorkingLine[],
): number => {
  let taken = 0
  for (const [index, working] of lines.entries()) {
    const share = shares[index]
    if (share === undefined) continue
    const cents = Math.min(share.cents, worthOf(working))
    giveShare(working, promotion, { cents, weight: share.weight })
    taken += cents
  }
  return taken
}

const giveShare = (
  working: WorkingLine,
  { key, name, couponCode }: TotalsPromotion,
  { cents, weight }: PromotionShare,
): void => {
  if (cents === 0) return
  working.discountCents -= cents
  working.discountBreakdown[key] = { name, cents: -cents, weight, coupon_code: couponCode }
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

const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0)

/** Before a gift card pays. */
const dueOf = (lines: readonly WorkingLine[], promotions: readonly number[]): number =>
  Math.max(0, sum(lines.map(({ totalCents }) => totalCents)) + sum(promotions))

/** Of what the lines cost, less that of the discounts. */
const totalTaxOf = (lines: readonly WorkingLine[], taxIncluded: boolean): number =>
  sum(
    lines.map(
      ({ totalCents, discountCents, taxRate }) =>
        taxOf(totalCents, taxRate, taxIncluded) + taxOf(discountCents, taxRate, taxIncluded),
    ),
  )

const sumUp = (
  lines: readonly WorkingLine[],
  promotions: readonly number[],
  giftCard: number,
  { taxIncluded, giftCard: card }: OrderTotalsInput,
): OrderTotals => {
  const taxable = ({ amount, tax }: GroupSum): number => (taxIncluded ? amount - tax : amount)
  const goods = sumOf(lines, ['goods', 'gift_cards'], taxIncluded)
  const shipping = sumOf(lines, ['shipping'], taxIncluded)
  const payment = sumOf(lines, ['payment_method'], taxIncluded)
  const adjustment = sumOf(lines, ['adjustment'], taxIncluded)
  const discount = sum(promotions)
  const totalTax = totalTaxOf(lines, taxIncluded)
  const due = dueOf(lines, promotions)
  // A gift card that pays the added tax too takes more than the prices.
  const total = Math.max(0, due + giftCard)
  const base = card?.allocated === undefined ? due : total
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
    // Credits that are not taxed leave no negative base.
    totalTaxable: taxIncluded ? Math.max(0, base - totalTax) : base,
    totalWithTaxes: taxIncluded ? total : due + giftCard + totalTax,
  }
}
