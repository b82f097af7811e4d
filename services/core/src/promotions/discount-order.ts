/**
 * Applies promotions to an order, the one with the highest weight first: each sees what those before have left. Pure: the same
 * promotions and lines give the same discounts, in whatever order they are given (docs/adr/0110).
 */
import type { ListedSkus } from '../catalogue/listed-skus.ts'
import { sumLeft } from './discounted-order.ts'
import type { DiscountableLine, DiscountedOrder, OpenLine } from './discounted-order.ts'
import type { Candidate, PromotionKind, RuleType } from './promotion-kind.ts'
import type { PromotionType } from './promotion-types.ts'
import { ruleKinds } from './rules/kinds.ts'
import { kinds } from './types/kinds.ts'

export interface DiscountShare {
  /** Zero or more. */
  readonly cents: number
  /** The line's part of the lines that the promotion is for, 0 to 1. */
  readonly weight: number
}

export interface AppliedPromotion {
  readonly candidate: Candidate
  /** One or more. */
  readonly cents: number
  /** Position of a line → what it gets; only lines that get something. */
  readonly shares: ReadonlyMap<number, DiscountShare>
}

export interface DiscountQuestion {
  readonly lines: readonly DiscountableLine[]
  readonly lists: ReadonlyMap<number, ListedSkus>
  /** Of the goods with gift cards that are bought, before promotions. */
  readonly subtotalCents: number
  /** The adjustments of the order, signed. */
  readonly adjustmentCents: number
}

const kindsByType = new Map<string, PromotionKind>(kinds.map((kind) => [kind.definition.type, kind]))

const kindOf = (type: PromotionType): PromotionKind => {
  const kind = kindsByType.get(type)
  if (kind === undefined) throw new TypeError(`no promotion applies for ${type}`)
  return kind
}

/** Of equal weight the older one goes first. */
const byWeight = ({ promotion: a }: Candidate, { promotion: b }: Candidate): number =>
  b.weight - a.weight || a.id - b.id

export const discountOrder = (
  candidates: readonly Candidate[],
  question: DiscountQuestion,
): readonly AppliedPromotion[] => applyInTurn(candidates, question).applied

/** Whose rules the order meets when their turn comes, also of those that have nothing to take off yet. */
export const metBy = (question: DiscountQuestion, candidates: readonly Candidate[]): readonly Candidate[] =>
  applyInTurn(candidates, question).met

const applyInTurn = (
  candidates: readonly Candidate[],
  { lines, lists, subtotalCents, adjustmentCents }: DiscountQuestion,
) => {
  const applied: AppliedPromotion[] = []
  const met: Candidate[] = []
  let order: DiscountedOrder = {
    lines: lines.map((line) => ({ ...line, leftCents: Math.max(0, line.totalCents), isPriced: false })),
    lists,
    subtotalCents,
    amountCents: subtotalCents + adjustmentCents,
  }
  for (const candidate of candidates.toSorted(byWeight)) {
    if (!isMet(candidate, order)) continue
    met.push(candidate)
    const kind = kindOf(candidate.promotion.type)
    const result = apply(candidate, kind, order)
    // What takes nothing off keeps no other promotion away.
    if (result.cents === 0) continue
    applied.push(result)
    if (candidate.promotion.exclusive) break
    order = afterPromotion(order, result, kind)
  }
  return { applied, met }
}

const isMet = (candidate: Candidate, order: DiscountedOrder): boolean =>
  Object.entries(candidate.rules).every(([type, rule]) =>
    ruleKinds[type as RuleType].isMet(rule, candidate, order),
  )

const apply = (candidate: Candidate, kind: PromotionKind, order: DiscountedOrder): AppliedPromotion => {
  const allocations = kind.discount(candidate, order)
  const sum = sumLeft(allocations.map(({ line }) => line))
  const given = allocations.filter(({ cents }) => cents > 0)
  return {
    candidate,
    cents: given.reduce((total, { cents }) => total + cents, 0),
    shares: new Map(
      given.map(({ line, cents }) => [line.at, { cents, weight: Number((line.leftCents / sum).toFixed(8)) }]),
    ),
  }
}

const afterPromotion = (
  order: DiscountedOrder,
  { shares, cents }: AppliedPromotion,
  { pricesUnits, definition }: PromotionKind,
): DiscountedOrder => ({
  ...order,
  lines: order.lines.map((line): OpenLine => {
    const share = shares.get(line.at)
    if (share === undefined) return line
    return { ...line, leftCents: line.leftCents - share.cents, isPriced: line.isPriced || pricesUnits }
  }),
  amountCents: definition.type === 'free_shipping_promotions' ? order.amountCents : order.amountCents - cents,
})
