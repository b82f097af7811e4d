/** Reads which promotions may be for an order, with all that decides whether they are, before they apply (discount-order.ts). */
import type { Row } from '@merx/jsonapi/attributes'
import { readListedSkus } from '../catalogue/listed-skus.ts'
import type { ListedSkus } from '../catalogue/listed-skus.ts'
import { preparedAs } from '../engine/sql/statement-names.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { SETTING_DEFAULTS } from '../markets/organizations.ts'
import { askFlexRules } from './ask-flex-rules.ts'
import { askPromotion } from './ask-promotion.ts'
import { metCustomRules } from './custom-filters.ts'
import { discountOrder } from './discount-order.ts'
import type { DiscountQuestion } from './discount-order.ts'
import type { Candidate } from './promotion-kind.ts'
import { findCoupons, toOrderOfCoupon } from './valid-coupons.ts'

type CandidateRow = Candidate['promotion'] & {
  readonly rule_rows: Candidate['rules'] | null
  readonly in_use_coupon: number | null
}

/**
 * Those in force without coupon, as many as may be at once, and those that the order's coupons bring; of them, what is for the
 * order's market and currency. What the order itself has used counts for nothing.
 */
const CANDIDATES = `WITH in_force AS (
    (SELECT promotions.id, NULL::bigint AS in_use_coupon
      FROM promotions
      WHERE promotions.environment_id = $1 AND promotions.disabled_at IS NULL
        AND promotions.starts_at <= $2 AND promotions.expires_at > $2
        AND (promotions.total_usage_reached IS NOT TRUE OR EXISTS (
          SELECT FROM promotion_uses AS own WHERE own.environment_id = $1 AND own.order_id = $3
            AND own.promotion_id = promotions.id))
        AND NOT EXISTS (SELECT FROM promotion_rules AS rules WHERE rules.environment_id = $1
          AND rules.promotion_id = promotions.id AND rules.type = 'coupon_codes_promotion_rules')
      ORDER BY promotions.weight DESC, promotions.id
      LIMIT (SELECT coalesce((settings ->> 'promotions_max_concurrent_count')::int, $6) FROM environments WHERE id = $1))
    UNION ALL
    SELECT of_coupons.promotion, of_coupons.coupon FROM unnest($7::bigint[], $8::bigint[]) AS of_coupons (promotion, coupon)
  )
  SELECT promotions.*, in_force.in_use_coupon,
    (SELECT jsonb_object_agg(rule.type, to_jsonb(rule)) FROM promotion_rules AS rule
      WHERE rule.environment_id = $1 AND rule.promotion_id = promotions.id) AS rule_rows
  FROM in_force
  JOIN promotions ON promotions.environment_id = $1 AND promotions.id = in_force.id
  WHERE (promotions.market_id IS NULL OR promotions.market_id = $4)
    AND (promotions.currency_code IS NULL OR promotions.currency_code = $5)
  ORDER BY promotions.weight DESC, promotions.id`

/** The order and its lines as they will be, with amounts as if there were no promotions. */
export interface PlannedOrder {
  readonly order: Row
  readonly lines: readonly Row[]
  readonly question: Omit<DiscountQuestion, 'lists'>
}

export interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly lists: ReadonlyMap<number, ListedSkus>
}

const NONE: Candidates = { candidates: [], lists: new Map() }

type Reading = Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'now'>

type Asking = Reading & Pick<WorkflowStep, 'answers' | 'actor'>

/** `planned` is made when something needs the amounts. External promotions are asked. */
export const readCandidates = async (
  order: Row,
  skus: readonly number[],
  planned: () => PlannedOrder,
  step: Asking,
): Promise<Candidates> => {
  const { candidates, lists } = await readCandidatesUnasked(order, skus, planned, step)
  const answered: Candidate[] = []
  for (const candidate of candidates) answered.push(await withAnswer(candidate, lists, planned, step))
  return { candidates: answered, lists }
}

/** External promotions take nothing off, because nobody asks them. */
export const readCandidatesUnasked = async (
  order: Row,
  skus: readonly number[],
  planned: () => PlannedOrder,
  step: Reading,
): Promise<Candidates> => {
  const found = await readInForce(order, step)
  if (found.length === 0) return NONE
  const lists = await readListedSkus(
    { lists: listsOf(found), skus, whole: wholeListsOf(found) },
    { run: step.run, environmentId: step.scope.environmentId },
  )
  const withFilters = await withCustomRules(found, planned, step)
  return { candidates: await withFlexRules(withFilters, planned, step), lists }
}

const readInForce = async (order: Row, step: Reading): Promise<readonly Candidate[]> => {
  const ofCoupon = toOrderOfCoupon(order)
  const coupons = (await findCoupons(ofCoupon, step)).filter(({ problem }) => problem === null)
  const rows = await step.run<CandidateRow>({
    text: CANDIDATES,
    values: [
      step.scope.environmentId,
      step.now,
      ofCoupon.id,
      ofCoupon.market_id,
      ofCoupon.currency_code,
      SETTING_DEFAULTS.promotions_max_concurrent_count,
      coupons.map(({ promotion }) => promotion),
      coupons.map(({ id }) => id),
    ],
    ...preparedAs(CANDIDATES),
  })
  return rows.map(({ rule_rows: rules, in_use_coupon: number, ...promotion }) => ({
    promotion,
    rules: rules ?? {},
    coupon: coupons.find(({ id }) => id === number),
    isCustomRuleMet: true,
  }))
}

/** Lists that promotions and their rules name. */
const listsOf = (candidates: readonly Candidate[]): readonly number[] => [
  ...new Set(
    candidates.flatMap(({ promotion, rules }) =>
      [promotion.sku_list_id, rules.sku_list_promotion_rules?.sku_list_id].filter(
        (list) => typeof list === 'number',
      ),
    ),
  ),
]

/** Lists of which the order must have every SKU. */
const wholeListsOf = (candidates: readonly Candidate[]): readonly number[] =>
  candidates.flatMap(({ promotion, rules }) => {
    const rule = rules.sku_list_promotion_rules
    const list = rule?.sku_list_id ?? promotion.sku_list_id
    return rule?.all_skus === true && list !== null ? [list] : []
  })

/** The rules of flex promotions are asked together, because they read the same order. */
const withFlexRules = async (
  candidates: readonly Candidate[],
  planned: () => PlannedOrder,
  step: Reading,
): Promise<readonly Candidate[]> => {
  const asking = candidates.filter(({ promotion }) => promotion.type === 'flex_promotions')
  if (asking.length === 0) return candidates
  const { order, lines } = planned()
  const outcomes = await askFlexRules(
    asking.map(({ promotion }) => promotion.rules),
    order,
    lines,
    step,
  )
  return candidates.map((candidate) => ({ ...candidate, flex: outcomes[asking.indexOf(candidate)] }))
}

const withCustomRules = async (
  candidates: readonly Candidate[],
  planned: () => PlannedOrder,
  step: Reading,
): Promise<readonly Candidate[]> => {
  const asking = candidates.filter(({ rules }) => rules.custom_promotion_rules !== undefined)
  if (asking.length === 0) return candidates
  const { order, lines } = planned()
  const met = await metCustomRules(
    asking.map(({ rules }) => rules.custom_promotion_rules?.filters),
    order,
    lines,
    step,
  )
  return candidates.map((candidate) => {
    const at = asking.indexOf(candidate)
    return at === -1 ? candidate : { ...candidate, isCustomRuleMet: met[at] === true }
  })
}

/** An external promotion whose rules the order meets is asked; `1` stands for an answer, to find out whether they are met. */
const withAnswer = async (
  candidate: Candidate,
  lists: Candidates['lists'],
  planned: () => PlannedOrder,
  step: Asking,
): Promise<Candidate> => {
  if (candidate.promotion.type !== 'external_promotions') return candidate
  const { order, lines, question } = planned()
  const probe = { name: null, cents: 1, lines: undefined, metadata: undefined }
  const isMet = discountOrder([{ ...candidate, external: probe }], { ...question, lists }).length > 0
  if (!isMet) return candidate
  return { ...candidate, external: await askPromotion(candidate.promotion, order, lines, step) }
}
