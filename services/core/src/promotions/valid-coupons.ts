/** The coupons of a code, and what stands against using each for an order. */
import { columnsOf } from '../engine/database/rows.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export type OrderOfCoupon = Pick<
  RowOf<'Order'>,
  'market_id' | 'currency_code' | 'customer_id' | 'customer_email' | 'coupon_code'
> & { readonly id: number | null }

export type FoundCoupon = {
  readonly id: number
  readonly code: string
  readonly promotion: number
  /** Why it cannot be used for the order, or null. */
  readonly problem: 'expired' | 'used_up' | 'used' | 'recipient' | 'inactive' | 'elsewhere' | null
}

/** What the order itself has used counts for nothing: `$3` is its number, or null while it has none. */
const COUPONS = `SELECT coupons.id, coupons.code, promotions.id AS promotion,
    CASE
      WHEN coalesce(coupons.expires_at, promotions.expires_at) <= $4 THEN 'expired'
      WHEN promotions.disabled_at IS NOT NULL OR promotions.starts_at > $4
        OR promotions.total_usage_count - coalesce(own.uses, 0) >= promotions.total_usage_limit THEN 'inactive'
      WHEN promotions.market_id <> $5 OR promotions.currency_code <> $6 THEN 'elsewhere'
      WHEN coupons.usage_count - coalesce(own.coupon_uses, 0) >= coupons.usage_limit THEN 'used_up'
      WHEN lower(coupons.recipient_email) IS DISTINCT FROM lower($7) AND coupons.recipient_email IS NOT NULL
        THEN 'recipient'
      WHEN coupons.customer_single_use AND EXISTS (
        SELECT FROM promotion_uses AS earlier WHERE earlier.environment_id = $1 AND earlier.coupon_id = coupons.id
          AND earlier.customer_id = $8 AND earlier.order_id IS DISTINCT FROM $3) THEN 'used'
    END AS problem
  FROM coupons
  JOIN promotion_rules AS rules ON rules.environment_id = $1 AND rules.id = coupons.promotion_rule_id
  JOIN promotions ON promotions.environment_id = $1 AND promotions.id = rules.promotion_id
  LEFT JOIN LATERAL (
    SELECT 1 AS uses, (uses.coupon_id = coupons.id)::int AS coupon_uses FROM promotion_uses AS uses
    WHERE uses.environment_id = $1 AND uses.order_id = $3 AND uses.promotion_id = promotions.id) AS own ON true
  WHERE coupons.environment_id = $1 AND coupons.code = $2
  ORDER BY coupons.id
  LIMIT 100`

/** A code may be that of coupons of several promotions. */
export const findCoupons = async (
  order: OrderOfCoupon,
  { run, scope, now }: Pick<WorkflowStep, 'run' | 'scope' | 'now'>,
): Promise<readonly FoundCoupon[]> => {
  const { coupon_code: code } = order
  if (code === null || code === '') return []
  const { id, market_id, currency_code, customer_email, customer_id } = order
  const values = [scope.environmentId, code, id, now, market_id, currency_code, customer_email, customer_id]
  return run<FoundCoupon>({ text: COUPONS, values })
}

const PROBLEMS = {
  expired: { error: 'expired', message: 'has expired' },
  inactive: { error: 'inactive', message: 'is of a promotion that is not active' },
  elsewhere: { error: 'invalid', message: 'is for another market or currency' },
  used_up: { error: 'usage_limit', message: 'has been used as often as it may be' },
  recipient: { error: 'invalid_recipient', message: 'is for somebody else' },
  used: { error: 'already_used', message: 'has been used by this customer already' },
} as const

/** Why a code brings the order nothing; undefined when it is that of a valid coupon. */
export const problemOfCode = (
  coupons: readonly FoundCoupon[],
): { readonly error: string; readonly message: string } | undefined => {
  if (coupons.some(({ problem }) => problem === null)) return undefined
  const [first] = coupons
  if (first?.problem === undefined || first.problem === null)
    return { error: 'noent_coupon', message: "doesn't exist" }
  return PROBLEMS[first.problem]
}

export const toOrderOfCoupon = (order: Readonly<Record<string, unknown>>): OrderOfCoupon => {
  const columns = columnsOf('Order', order)
  return {
    id: columns.id ?? null,
    market_id: columns.market_id ?? 0,
    currency_code: columns.currency_code ?? '',
    customer_id: columns.customer_id ?? null,
    customer_email: columns.customer_email ?? null,
    coupon_code: columns.coupon_code ?? null,
  }
}
