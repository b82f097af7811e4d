/** What is in an order, and what it costs: drawn lines through the same arithmetic that real orders go through. */
import { ratioOf } from '../src/definitions/ratio.ts'
import { discountKeyOf } from '../src/orders/totals/order-amounts.ts'
import { computeOrderTotals } from '../src/orders/totals/order-totals.ts'
import type { ComputedOrder, TotalsLine, TotalsPromotion } from '../src/orders/totals/order-totals.ts'
import { PROMOTIONS } from './blueprint.ts'
import type { PromotionBlueprint } from './blueprint.ts'
import type { DrawnLine, DrawnOption } from './drawn-order.ts'
import { promotionReference } from './load-promotions.ts'
import { inMarket } from './market-prices.ts'
import { skewed } from './random.ts'
import type { Random } from './random.ts'
import type { Offer, ShopMarket, ShopPaymentMethod, ShopShippingMethod } from './read-shop.ts'

/** Rates are in hundred-millionths. */
const RATE_UNIT = 100_000_000

export interface LinesInput {
  readonly market: ShopMarket
  /** In hundred-millionths. */
  readonly taxRate: number
  readonly shippingMethod: ShopShippingMethod
  /** A cart has neither shipping nor payment before somebody fills it in. */
  readonly hasCheckout: boolean
  readonly paymentMethod: ShopPaymentMethod
}

export interface DrawnContents {
  readonly lines: readonly DrawnLine[]
  readonly computed: ComputedOrder
  readonly isShipped: boolean
  readonly couponCode: string | null
  readonly giftCardCode: string | null
}

const LINE_COUNTS = [
  [1, 46],
  [2, 27],
  [3, 14],
  [4, 8],
  [5, 3],
  [7, 2],
] as const
const QUANTITIES = [
  [1, 82],
  [2, 13],
  [3, 3],
  [6, 2],
] as const

interface Wanted {
  readonly offer: Offer
  readonly quantity: number
  readonly options: readonly DrawnOption[]
}

const draws = new Map<number, (random: Random) => number>()

/** Positions of a long-tailed assortment. */
const positionIn = (random: Random, size: number): number => {
  const known = draws.get(size) ?? skewed(size, 0.85)
  draws.set(size, known)
  return known(random)
}

const drawWanted = (random: Random, market: ShopMarket): readonly Wanted[] => {
  const wanted = new Map<number, Wanted>()
  const count = random.weighted(LINE_COUNTS)
  for (let index = 0; index < count; index += 1) {
    const offer = market.offers[positionIn(random, market.offers.length)]
    if (offer === undefined) continue
    const quantity = random.weighted(QUANTITIES)
    const options = random.chance(0.05) ? [engraving(random, market, quantity)] : []
    wanted.set(offer.id, { offer, quantity, options })
  }
  return [...wanted.values()]
}

const engraving = (random: Random, market: ShopMarket, quantity: number): DrawnOption => {
  const name = random.pick(['Engraving', 'Embroidery', 'Gift wrapping'])
  const unitCents = inMarket(name === 'Gift wrapping' ? 300 : 800, market.blueprint)
  const text = random.pick(['Happy birthday', 'With love', 'Best dad', 'Team 2026', 'Thank you'])
  return { name, quantity, unitCents, totalCents: unitCents * quantity, choices: { text } }
}

/** The lines an order is worked out from; each keeps what it becomes. */
interface Draft {
  readonly line: TotalsLine
  readonly item: DrawnLine['item']
  readonly name: string
  readonly options: readonly DrawnOption[]
}

export const drawContents = (random: Random, input: LinesInput): DrawnContents => {
  const { market, hasCheckout } = input
  const wanted = drawWanted(random, market)
  const isShipped = wanted.some(({ offer }) => !offer.do_not_ship)
  const goodsCents = wanted.reduce((sum, { offer, quantity }) => sum + offer.amount_cents * quantity, 0)
  const drafts = [
    ...wanted.map((each) => goodsDraft(each, input.taxRate)),
    ...(hasCheckout ? checkoutDrafts(random, input, goodsCents, isShipped) : []),
  ]
  const promotion =
    hasCheckout && random.chance(0.2) ? random.weighted(PROMOTIONS.map((each) => [each, each.weight])) : null
  const discountable = drafts
    .filter(({ line }) => line.group === 'goods')
    .reduce((sum, { line }) => sum + line.unitAmountCents * line.quantity + (line.optionsAmountCents ?? 0), 0)
  const promotions = promotion === null ? [] : [toPromotion(promotion, market, discountable)]
  const giftCardBalanceCents =
    hasCheckout && random.chance(0.015) ? inMarket(random.between(1, 6) * 1000, market.blueprint) : 0
  const computed = computeOrderTotals({
    taxIncluded: market.blueprint.taxIncluded,
    freightTaxable: market.blueprint.freightTaxable,
    paymentMethodTaxable: market.blueprint.freightTaxable,
    adjustmentTaxable: false,
    giftCardTaxable: false,
    lines: drafts.map(({ line }) => line),
    promotions,
    giftCard: { balanceCents: giftCardBalanceCents, coversTaxes: false },
  })
  const giftCardCode = computed.totals.giftCard === 0 ? null : `GC-${random.between(10_000_000, 99_999_999)}`
  return {
    lines: [
      ...drafts.map((draft, index) => toLine(draft, computed.lines[index])),
      ...creditLines(promotion, market, computed, giftCardCode),
    ],
    computed,
    isShipped,
    couponCode: promotion?.couponCode ?? null,
    giftCardCode,
  }
}

const goodsDraft = ({ offer, quantity, options }: Wanted, taxRate: number): Draft => ({
  line: {
    group: 'goods',
    quantity,
    unitAmountCents: offer.amount_cents,
    optionsAmountCents: options.reduce((sum, { totalCents }) => sum + totalCents, 0),
    taxRate,
  },
  item: { type: 'skus', offer },
  name: offer.name,
  options,
})

const checkoutDrafts = (
  random: Random,
  input: LinesInput,
  goodsCents: number,
  isShipped: boolean,
): readonly Draft[] => {
  const { shippingMethod, paymentMethod, taxRate, market } = input
  const { free_over_amount_cents: freeOver, price_amount_cents: price } = shippingMethod
  const single = (group: TotalsLine['group'], unitAmountCents: number): TotalsLine => ({
    group,
    quantity: 1,
    unitAmountCents,
    taxRate,
  })
  const drafts: Draft[] = []
  if (isShipped) {
    const cost = freeOver !== null && goodsCents > freeOver ? 0 : price
    drafts.push({
      line: single('shipping', cost),
      item: { type: 'shipments' },
      name: shippingMethod.name,
      options: [],
    })
  }
  const fee = paymentMethod.price_amount_cents
  drafts.push({
    line: single('payment_method', fee),
    item: { type: 'payment_methods' },
    name: paymentMethod.name,
    options: [],
  })
  if (random.chance(0.008)) {
    const cents = inMarket(random.pick([-1000, -500, -250, 300]), market.blueprint)
    const name = cents < 0 ? 'Goodwill' : 'Handling'
    drafts.push({
      line: single('adjustment', Math.max(cents, -goodsCents)),
      item: { type: 'adjustments', id: 1 },
      name,
      options: [],
    })
  }
  return drafts
}

const itemOf = (promotion: PromotionBlueprint, { blueprint, promotions }: ShopMarket) => {
  const id = promotions.get(promotionReference(blueprint, promotion))
  if (id === undefined) throw new Error(`the demo has no promotion ${promotion.name} in ${blueprint.code}`)
  return { type: promotion.type, id }
}

const toPromotion = (
  promotion: PromotionBlueprint,
  market: ShopMarket,
  goodsCents: number,
): TotalsPromotion => {
  const { takes } = promotion
  const { blueprint, ids } = market
  const { type, id } = itemOf(promotion, market)
  const shared = {
    key: discountKeyOf({ item_type: type, item_id: id }, ids),
    name: promotion.name,
    couponCode: promotion.couponCode,
  }
  if (takes === 'shipping') return { ...shared, appliesTo: 'shipping', amountCents: Number.MAX_SAFE_INTEGER }
  const amountCents =
    'rate' in takes ? ratioOf(goodsCents, takes.rate, RATE_UNIT) : inMarket(takes.cents, blueprint)
  return { ...shared, appliesTo: 'goods', amountCents }
}

const toLine = (
  { line, item, name, options }: Draft,
  amounts: ComputedOrder['lines'][number] | undefined,
): DrawnLine => {
  if (amounts === undefined) throw new Error('a line was not computed')
  return {
    item,
    name,
    quantity: line.quantity,
    unitCents: line.unitAmountCents,
    optionsCents: line.optionsAmountCents ?? 0,
    totalCents: amounts.totalCents,
    discountCents: amounts.discountCents,
    taxCents: amounts.taxCents,
    taxRate: amounts.taxRate,
    discountBreakdown: amounts.discountCents === 0 ? null : amounts.discountBreakdown,
    couponCode: null,
    options,
  }
}

/** The promotion and the gift card are lines too, with what they took. */
const creditLines = (
  promotion: PromotionBlueprint | null,
  market: ShopMarket,
  { promotions, totals }: ComputedOrder,
  giftCardCode: string | null,
): readonly DrawnLine[] => {
  const credit = (
    item: DrawnLine['item'],
    name: string,
    cents: number,
    couponCode: string | null,
  ): DrawnLine => ({
    item,
    name,
    quantity: 1,
    unitCents: cents,
    optionsCents: 0,
    totalCents: cents,
    discountCents: 0,
    taxCents: 0,
    taxRate: 0,
    discountBreakdown: null,
    couponCode,
    options: [],
  })
  const taken = promotions[0] ?? 0
  return [
    ...(promotion === null || taken === 0
      ? []
      : [credit(itemOf(promotion, market), promotion.name, taken, promotion.couponCode)]),
    ...(giftCardCode === null
      ? []
      : [credit({ type: 'gift_cards', id: 1 }, 'Gift card', totals.giftCard, null)]),
  ]
}
