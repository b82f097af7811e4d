/** The lines of an order's promotions, and what each of its other lines gets from them. */
import type { Row } from '@merx/jsonapi/attributes'
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { discountOrder } from '../promotions/discount-order.ts'
import type { AppliedPromotion, DiscountQuestion } from '../promotions/discount-order.ts'
import type { DiscountableLine } from '../promotions/discounted-order.ts'
import { isPromotionType } from '../promotions/promotion-types.ts'
import { readCandidates } from '../promotions/read-candidates.ts'
import type { Candidates, PlannedOrder } from '../promotions/read-candidates.ts'
import type { UsedPromotion } from '../promotions/uses.ts'
import { linesAfter, NEW_LINE } from './order-lines.ts'
import type { OrderLine } from './order-lines.ts'
import { discountKeyOf, groupOf, rateOf } from './totals/order-amounts.ts'
import type { PublicIdsOf } from './totals/order-amounts.ts'

/** A promotion that the shop has; lines of imports may name one that another system had. */
const isOfPromotion = (line: Row): boolean => {
  const { item_type: type, item_id: item = null } = columnsOf('LineItem', line)
  return isPromotionType(type) && item !== null
}

/** Statuses in which what was bought, and for how much, is still open. */
const OPEN: readonly string[] = ['draft', 'pending', 'placing', 'editing']

/** Number of a bundle → that of its list. */
export type ListsOfBundles = ReadonlyMap<number, number>

export interface CandidatesOfOrder extends Candidates {
  readonly bundleLists: ListsOfBundles
}

/** Undefined when the promotions of the order stay as they are. */
export const candidatesFor = async (
  order: Row,
  lines: readonly OrderLine[],
  step: WorkflowStep,
  withTotals: (lines: readonly OrderLine[]) => { readonly totals: Row; readonly lines: readonly OrderLine[] },
): Promise<CandidatesOfOrder | undefined> => {
  const { status = '', without_promotions: isWithout = false } = columnsOf('Order', order)
  if (step.isImport || isWithout || !OPEN.includes(status)) return undefined
  const bundleLists = await listsOfBundles(linesAfter(lines), step)
  const planned = (): PlannedOrder => {
    const undiscounted = withTotals(withoutPromotions(lines))
    const after = linesAfter(undiscounted.lines)
    return {
      order: { ...order, ...undiscounted.totals },
      lines: after,
      question: questionOf(after, bundleLists),
    }
  }
  return { ...(await readCandidates(order, skusOf(linesAfter(lines)), planned, step)), bundleLists }
}

/** Numbers of the SKUs in an order, each once. */
export const skusOf = (lines: readonly Row[]): readonly number[] => [
  ...new Set(
    lines.flatMap(({ item_type: type, item_id: item }) =>
      type === 'skus' && typeof item === 'number' ? [item] : [],
    ),
  ),
]

/** Of the bundles in an order. */
export const listsOfBundles = async (
  lines: readonly Row[],
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<ListsOfBundles> => {
  const bundles = lines.flatMap(({ item_type: type, item_id: item }) =>
    type === 'bundles' && typeof item === 'number' ? [item] : [],
  )
  if (bundles.length === 0) return new Map()
  const rows = await run<Pick<RowOf<'Bundle'>, 'id' | 'sku_list_id'>>({
    text: 'SELECT id, sku_list_id FROM bundles WHERE environment_id = $1 AND id = ANY($2::bigint[])',
    values: [scope.environmentId, bundles],
  })
  return new Map(rows.map(({ id, sku_list_id: list }) => [id, list]))
}

/** What is given by a promotion of the shop goes; what an import brought stays. */
const withoutPromotions = (lines: readonly OrderLine[]): readonly OrderLine[] =>
  lines.flatMap(({ before, after }): readonly OrderLine[] => {
    if (after === undefined) return [{ before, after }]
    if (!isOfPromotion(after)) return [{ before, after: { ...after, discount_breakdown: null } }]
    return before === undefined ? [] : [{ before, after: undefined }]
  })

export const questionOf = (
  lines: readonly Row[],
  bundleLists: ListsOfBundles,
): Omit<DiscountQuestion, 'lists'> => {
  const sumOf = (groups: readonly string[]): number =>
    lines.filter((line) => groups.includes(groupOf(line) ?? '')).reduce((sum, line) => sum + totalOf(line), 0)
  return {
    lines: lines.flatMap((line, at) => toDiscountable(line, at, bundleLists)),
    subtotalCents: sumOf(['goods', 'gift_cards']),
    adjustmentCents: sumOf(['adjustment']),
  }
}

const totalOf = (line: Row): number => {
  const {
    quantity = 0,
    unit_amount_cents: unit = 0,
    options_amount_cents: options = 0,
  } = columnsOf('LineItem', line)
  return quantity * unit + options
}

const toDiscountable = (line: Row, at: number, bundleLists: ListsOfBundles): readonly DiscountableLine[] => {
  const group = groupOf(line)
  if (group !== 'goods' && group !== 'shipping') return []
  const {
    id = null,
    item_type = null,
    item_id = null,
    quantity = 0,
    unit_amount_cents = 0,
    tax_rate,
  } = columnsOf('LineItem', line)
  return [
    {
      at,
      number: id,
      group,
      itemType: item_type,
      item: item_id,
      bundleList: item_type === 'bundles' ? (bundleLists.get(item_id ?? 0) ?? null) : null,
      quantity,
      unitAmountCents: unit_amount_cents,
      totalCents: totalOf(line),
      taxRate: rateOf(tax_rate),
    },
  ]
}

/** The lines with those of the promotions that apply, and with the share of each other line in `discount_breakdown`. */
export const withPromotions = (
  order: Row,
  lines: readonly OrderLine[],
  { candidates, lists, bundleLists }: CandidatesOfOrder,
  ids: PublicIdsOf,
): readonly OrderLine[] => {
  const others = lines.filter(({ before, after }) => !isOfPromotion(after ?? before ?? {}))
  const own = lines.filter(({ before, after }) => isOfPromotion(after ?? before ?? {}))
  const kept = linesAfter(others)
  const applied = discountOrder(candidates, { ...questionOf(kept, bundleLists), lists })
  const discounted = new Map(
    kept.map((line, at) => [line, { ...line, discount_breakdown: breakdownOf(at, applied, ids) }]),
  )
  return [
    ...others.map(({ before, after }) => ({ before, after: after && discounted.get(after) })),
    ...promotionLines(order, own, applied),
  ]
}

const breakdownOf = (at: number, applied: readonly AppliedPromotion[], ids: PublicIdsOf): Row | null => {
  const parts = applied.flatMap(({ candidate, shares }) => {
    const share = shares.get(at)
    if (share === undefined) return []
    const key = discountKeyOf({ item_type: candidate.promotion.type, item_id: candidate.promotion.id }, ids)
    const { cents, weight } = share
    const coupon = candidate.coupon?.code ?? null
    return [[key, { name: nameOf(candidate), cents: -cents, weight, coupon_code: coupon }]]
  })
  return parts.length === 0 ? null : (Object.fromEntries(parts) as Row)
}

const nameOf = ({ promotion, external }: AppliedPromotion['candidate']): string =>
  external?.name ?? promotion.name

/** A line that a promotion has already stays its line. */
const promotionLines = (
  order: Row,
  existing: readonly OrderLine[],
  applied: readonly AppliedPromotion[],
): readonly OrderLine[] => {
  const rest = new Set(existing)
  const lines = applied.map(({ candidate, cents }): OrderLine => {
    const { promotion, coupon, external, flex } = candidate
    const found = [...rest].find(
      ({ after }) => after?.['item_type'] === promotion.type && after['item_id'] === promotion.id,
    )
    if (found !== undefined) rest.delete(found)
    const { metadata = {} } = columnsOf('LineItem', found?.after ?? {})
    const columns: Row = {
      order_id: order['id'],
      item_type: promotion.type,
      item_id: promotion.id,
      name: nameOf(candidate),
      quantity: 1,
      currency_code: order['currency_code'],
      unit_amount_cents: -cents,
      coupon_code: coupon?.code ?? null,
      rule_outcomes: flex?.outcomes ?? null,
      ...(external?.metadata === undefined
        ? {}
        : { metadata: { ...(metadata as Row), ...external.metadata } }),
    }
    return { before: found?.before, after: { ...(found?.after ?? NEW_LINE), ...columns } }
  })
  const gone = [...rest].filter(({ before }) => before !== undefined)
  return [...lines, ...gone.map(({ before }) => ({ before, after: undefined }))]
}

/** The promotions that an order has lines of, as they are counted. */
export const usedPromotions = (lines: readonly Row[]): readonly UsedPromotion[] =>
  lines.filter(isOfPromotion).map((line) => {
    const { item_id: promotion, name = null, coupon_code: couponCode = null } = columnsOf('LineItem', line)
    return { promotion: numberOf({ id: promotion }), name: name ?? '', couponCode }
  })
