/**
 * Counts what orders use of promotions and coupons: when an order is placed, when it was edited, and back when it is cancelled.
 * Rows are locked before they are compared with their limits, coupons first, each in the order of their numbers, so that of two
 * buyers of the last use one gets it.
 */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { statusOf } from './promotion-status.ts'
import { findCoupons, toOrderOfCoupon } from './valid-coupons.ts'

type Using = Pick<WorkflowStep, 'run' | 'scope' | 'now'>

type Use = Pick<RowOf<'PromotionUse'>, 'promotion_id' | 'coupon_id'>

/** What an order has of a promotion: the line of it, with the code of its coupon. */
export interface UsedPromotion {
  readonly promotion: number
  readonly name: string
  readonly couponCode: string | null
}

/**
 * Makes the uses of an order those of these promotions. Returns why that cannot be; then nothing must be written: the caller
 * fails its write.
 */
export const countUses = async (
  order: RowOf<'Order'>,
  promotions: readonly UsedPromotion[],
  step: Using,
): Promise<readonly WriteViolation[]> => {
  const stored = await readUses(order.id, step)
  const isCounted = ({ promotion }: UsedPromotion) => stored.some((use) => use.promotion_id === promotion)
  const added = promotions.filter((used) => !isCounted(used))
  const gone = stored.filter((use) => promotions.every(({ promotion }) => promotion !== use.promotion_id))
  if (gone.length > 0) await remove(order.id, gone, step)
  if (added.length === 0) return []
  await lockCoupons(order, step)
  const locked = await lockPromotions(
    added.map(({ promotion }) => promotion),
    step,
  )
  const coupons = (await findCoupons(toOrderOfCoupon(order), step)).filter(({ problem }) => problem === null)
  const couponOf = ({ promotion, couponCode }: UsedPromotion) =>
    couponCode === null ? undefined : coupons.find((coupon) => coupon.promotion === promotion)
  const violations = added.flatMap((used) =>
    violationsOf(used, locked.get(used.promotion), couponOf(used) !== undefined, step.now),
  )
  if (violations.length > 0) return violations
  await add(
    order,
    added.map((used) => ({ promotion_id: used.promotion, coupon_id: couponOf(used)?.id ?? null })),
    step,
  )
  return []
}

/** All that the order was counted for is given back. */
export const giveBackUses = async (order: number, step: Using): Promise<void> => {
  const stored = await readUses(order, step)
  if (stored.length > 0) await remove(order, stored, step)
}

const readUses = (order: number, { run, scope }: Using): Promise<readonly Use[]> =>
  run<Use>({
    text: `SELECT promotion_id, coupon_id FROM promotion_uses
      WHERE environment_id = $1 AND order_id = $2 ORDER BY promotion_id`,
    values: [scope.environmentId, order],
  })

/** All coupons of the code: which of them counts is decided under the lock. */
const lockCoupons = async ({ coupon_code: code }: RowOf<'Order'>, { run, scope }: Using): Promise<void> => {
  if (code === null || code === '') return
  await run({
    text: `SELECT id FROM coupons WHERE environment_id = $1 AND code = $2 ORDER BY id FOR NO KEY UPDATE`,
    values: [scope.environmentId, code],
  })
}

const lockPromotions = async (
  numbers: readonly number[],
  { run, scope }: Using,
): Promise<ReadonlyMap<number, RowOf<'Promotion'>>> => {
  const rows = await run<RowOf<'Promotion'>>({
    text: `SELECT * FROM promotions WHERE environment_id = $1 AND id = ANY($2::bigint[])
      ORDER BY id FOR NO KEY UPDATE`,
    values: [scope.environmentId, numbers],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/** A coupon says itself how long it may be used, also after its promotion (valid-coupons.ts). */
const violationsOf = (
  { name, couponCode }: UsedPromotion,
  promotion: RowOf<'Promotion'> | undefined,
  hasCoupon: boolean,
  now: Date,
): readonly WriteViolation[] => {
  if (couponCode !== null)
    return hasCoupon
      ? []
      : [
          {
            at: { attribute: 'coupon_code' },
            error: 'invalid_coupon',
            message: `cannot be used any more for "${name}"; send _refresh to place the order without it`,
            value: couponCode,
          },
        ]
  const status = promotion === undefined ? 'deleted' : statusOf(promotion, now)
  if (status === 'active') return []
  const message = `has the promotion "${name}", which is ${status} by now; send _refresh to place the order without it`
  return [{ at: { attribute: 'discount_amount_cents' }, error: 'promotion_not_active', message }]
}

const add = async (order: RowOf<'Order'>, uses: readonly Use[], { run, scope }: Using): Promise<void> => {
  const promotions = uses.map(({ promotion_id: promotion }) => promotion)
  const coupons = uses.map(({ coupon_id: coupon }) => coupon)
  await run({
    text: `WITH used AS (
        INSERT INTO promotion_uses (environment_id, order_id, promotion_id, coupon_id, customer_id)
        SELECT $1, $2, used.promotion, used.coupon, $5 FROM unnest($3::bigint[], $4::bigint[]) AS used (promotion, coupon)
        RETURNING promotion_id, coupon_id
      ), counted AS (
        UPDATE coupons SET usage_count = usage_count + 1
        WHERE environment_id = $1 AND id IN (SELECT coupon_id FROM used)
      )
      UPDATE promotions SET total_usage_count = total_usage_count + 1
      WHERE environment_id = $1 AND id IN (SELECT promotion_id FROM used)`,
    values: [scope.environmentId, order.id, promotions, coupons, order.customer_id],
  })
}

/** Nothing is counted below zero: a count may have been imported. */
const remove = async (order: number, uses: readonly Use[], step: Using): Promise<void> => {
  const { run, scope } = step
  const promotions = uses.map(({ promotion_id: promotion }) => promotion)
  const values = [scope.environmentId, order, promotions]
  await run({
    text: `SELECT coupons.id FROM coupons JOIN promotion_uses AS uses
        ON uses.environment_id = $1 AND uses.coupon_id = coupons.id
      WHERE coupons.environment_id = $1 AND uses.order_id = $2 AND uses.promotion_id = ANY($3::bigint[])
      ORDER BY coupons.id FOR NO KEY UPDATE OF coupons`,
    values,
  })
  await lockPromotions(promotions, step)
  await run({
    text: `WITH gone AS (
        DELETE FROM promotion_uses
        WHERE environment_id = $1 AND order_id = $2 AND promotion_id = ANY($3::bigint[])
        RETURNING promotion_id, coupon_id
      ), counted AS (
        UPDATE coupons SET usage_count = greatest(usage_count - 1, 0)
        WHERE environment_id = $1 AND id IN (SELECT coupon_id FROM gone)
      )
      UPDATE promotions SET total_usage_count = greatest(total_usage_count - 1, 0)
      WHERE environment_id = $1 AND id IN (SELECT promotion_id FROM gone)`,
    values,
  })
}
