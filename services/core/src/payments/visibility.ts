/** Payment sources and transactions are seen with their order. */
import type { Visibility } from '../engine/area.ts'
import { visibleThrough } from '../engine/sql/visible-rows.ts'

export const ofOrderVisibility: Visibility = (alias, build) =>
  visibleThrough('orders', 'order_id', alias, build)
