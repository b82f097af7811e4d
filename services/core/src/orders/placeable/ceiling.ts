import type { PlaceableCheck } from './facts.ts'

/** An order that was edited costs at most what it cost when it was placed. */
export const ceiling: PlaceableCheck = ({ order }) => {
  const { total_amount_with_taxes_cents: total, place_total_amount_cents: max } = order
  if (max === null || total <= max) return []
  return [
    {
      at: { attribute: 'total_amount_with_taxes_cents' },
      error: 'less_than_or_equal_to',
      message: `must be less than or equal to ${max}, what the order cost when it was placed`,
      value: total,
      count: max,
    },
  ]
}
