import type { PlaceableCheck } from './facts.ts'

/** There is something to sell. */
export const goods: PlaceableCheck = ({ goodsCount }) =>
  goodsCount > 0
    ? []
    : [{ at: { relationship: 'line_items' }, error: 'blank', message: 'must have something to sell' }]
