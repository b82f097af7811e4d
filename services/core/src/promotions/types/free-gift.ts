import { integer } from '@merx/jsonapi/attributes'
import type { Rule } from '@merx/jsonapi/rules'
import { columnsOf } from '../../engine/database/rows.ts'
import { definePromotion } from '../define-promotion.ts'
import { freeUnits, goodsOf } from '../discounted-order.ts'
import type { Allocation, DiscountedOrder, OpenLine } from '../discounted-order.ts'
import type { PromotionKind } from '../promotion-kind.ts'

const QUANTITY_MAX = 2_147_483_647

/** Which gift comes first is said by the places of a list by hand (commerce.md 1.4). */
const giftsByHand: Rule = async ({ after, sent, find }) => {
  if (!sent.has('sku_list') || typeof after['sku_list_id'] !== 'number') return {}
  const list = await find.byNumber('sku_lists', after['sku_list_id'], ['manual'])
  if (list === undefined || columnsOf('SkuList', list).manual === true) return {}
  const message = 'must be a list by hand: its places say which gift comes first'
  return { violations: [{ at: { relationship: 'sku_list' }, error: 'invalid', message }] }
}

/** The lines of one article; a list names it once. */
interface Gift {
  readonly lines: readonly OpenLine[]
  readonly quantityMax: number
}

/** By place, then in the order in which the list got them; bundles, which have no place, come last. */
const giftsOf = (lines: readonly OpenLine[], list: number, { lists }: DiscountedOrder): readonly Gift[] => {
  const listed = lists.get(list)
  const groups = Map.groupBy(lines, ({ itemType, item }) => `${itemType ?? ''} ${item ?? ''}`)
  return [...groups.values()]
    .map((its) => {
      const [first] = its
      const place = first?.itemType === 'skus' ? listed?.skus.get(first.item ?? -1) : undefined
      return {
        lines: its,
        quantityMax: place?.quantity ?? QUANTITY_MAX,
        position: place?.position ?? QUANTITY_MAX,
        item: place?.item ?? Number.MAX_SAFE_INTEGER,
        bundle: first?.item ?? 0,
      }
    })
    .toSorted((a, b) => a.position - b.position || a.item - b.item || a.bundle - b.bundle)
}

/** Articles of a list by hand are free, up to a number of units in total and to the quantity of each in the list. */
export const freeGift: PromotionKind = {
  definition: definePromotion('free_gift_promotions', {
    summary: 'Articles of a list for nothing, once they are in the order.',
    skuList: 'required',
    attributes: { max_quantity: integer({ write: 'always', default: 1, min: 1, max: QUANTITY_MAX }) },
    rules: [giftsByHand],
  }),
  pricesUnits: true,
  discount: ({ promotion: { max_quantity: max, sku_list_id: list } }, order) => {
    if (list === null || order.lists.get(list)?.isByHand !== true) return []
    const lines = goodsOf(order, list)
    let left = max ?? 1
    const given: Allocation[] = []
    for (const gift of giftsOf(
      lines.filter(({ isPriced }) => !isPriced),
      list,
      order,
    )) {
      const inCart = gift.lines.reduce((sum, { quantity }) => sum + quantity, 0)
      const units = Math.min(left, gift.quantityMax, inCart)
      left -= units
      given.push(...freeUnits(units, gift.lines))
    }
    return given
  },
}
