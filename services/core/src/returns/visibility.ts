/** A return is seen with its order, and its lines with it. */
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

export const returnVisibility: Visibility = (alias, build) =>
  visibleThrough('orders', 'order_id', alias, build)

export const returnLineItemVisibility: Visibility = (alias, build) =>
  visibleThrough('returns', 'return_id', alias, build)
