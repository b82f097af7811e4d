import { boolean, integer } from '@merx/jsonapi/attributes'
import type { Rule } from '@merx/jsonapi/rules'
import { columnsOf } from '../../engine/database/rows.ts'
import { definePromotion } from '../define-promotion.ts'
import { freeUnits, goodsOf } from '../discounted-order.ts'
import type { OpenLine } from '../discounted-order.ts'
import type { PromotionKind } from '../promotion-kind.ts'

const COUNT_MAX = 1_000_000

const fewerArePaid: Rule = ({ after }) => {
  const { x, y } = columnsOf('Promotion', after)
  if (typeof x !== 'number' || typeof y !== 'number' || x > y) return {}
  const message = `must be less than x, which is ${x}`
  return { violations: [{ at: { attribute: 'y' }, error: 'less_than', message, value: y, count: x }] }
}

const unitsOf = (lines: readonly OpenLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Of every x units of an article only y are paid; with `cheapest_free` x are counted over the whole list. */
export const buyXPayY: PromotionKind = {
  definition: definePromotion('buy_x_pay_y_promotions', {
    summary: 'Of every x units of the articles of a list only y are paid.',
    skuList: 'required',
    attributes: {
      x: integer({ write: 'always', required: true, min: 2, max: COUNT_MAX, filter: true, sort: true }),
      y: integer({ write: 'always', required: true, min: 1, max: COUNT_MAX, filter: true, sort: true }),
      cheapest_free: boolean({ write: 'always', default: false }),
    },
    rules: [fewerArePaid],
  }),
  pricesUnits: true,
  discount: ({ promotion: { x, y, cheapest_free: isAcrossList, sku_list_id: list } }, order) => {
    if (x === null || y === null) return []
    const lines = goodsOf(order, list).filter(({ isPriced }) => !isPriced)
    const groups =
      isAcrossList === true
        ? [lines]
        : [...Map.groupBy(lines, ({ itemType, item }) => `${itemType ?? ''} ${item ?? ''}`).values()]
    return groups.flatMap((group) => freeUnits(Math.floor(unitsOf(group) / x) * (x - y), group))
  },
}
