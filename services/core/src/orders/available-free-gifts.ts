/**
 * `orders.available_free_skus` and `available_free_bundles`: what free gifts an order that meets their rules may put in, whether
 * or not it has them.
 */
import type { ComputedRelationship } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Statement } from '../engine/sql/params.ts'
import { metBy } from '../promotions/discount-order.ts'
import { readCandidatesUnasked } from '../promotions/read-candidates.ts'
import { linesAfter, readLines } from './order-lines.ts'
import { listsOfBundles, questionOf, skusOf } from './promotion-lines.ts'

type Reading = Parameters<ComputedRelationship>[1]

/** What of the lists that have gifts for the order; the environment is $1. */
type GiftsOf = (order: RowOf<'Order'>, lists: readonly number[], environmentId: number) => Statement

const giftsFor =
  (giftsOf: GiftsOf): ComputedRelationship =>
  async ({ numbers }, reading) => {
    const { run, scope } = reading
    const orders = await run<RowOf<'Order'>>({
      text: 'SELECT * FROM orders WHERE environment_id = $1 AND id = ANY($2::bigint[])',
      values: [scope.environmentId, numbers],
    })
    const pairs: { readonly owner: number; readonly target: number }[] = []
    for (const order of orders) {
      const lists = await listsWithGifts(order, reading)
      if (lists.length === 0) continue
      const gifts = await run<{ readonly id: number }>(giftsOf(order, lists, scope.environmentId))
      for (const { id } of gifts) pairs.push({ owner: order.id, target: id })
    }
    return pairs
  }

export const availableFreeSkus: ComputedRelationship = giftsFor((_order, lists, environmentId) => ({
  text: `SELECT DISTINCT items.sku_id AS id FROM sku_list_items AS items
    JOIN sku_lists AS lists ON lists.environment_id = $1 AND lists.id = items.sku_list_id AND lists.manual
    WHERE items.environment_id = $1 AND items.sku_list_id = ANY($2::bigint[])`,
  values: [environmentId, lists],
}))

/** Bundles of such a list, not of some of its SKUs (commerce.md 1.4). */
export const availableFreeBundles: ComputedRelationship = giftsFor((order, lists, environmentId) => ({
  text: `SELECT id FROM bundles WHERE environment_id = $1 AND sku_list_id = ANY($2::bigint[])
    AND (market_id = $3 OR market_id IS NULL) AND currency_code = $4`,
  values: [environmentId, lists, order.market_id, order.currency_code],
}))

const listsWithGifts = async (
  order: RowOf<'Order'>,
  { run, scope, registry }: Reading,
): Promise<readonly number[]> => {
  const { environmentId, organizationId, mode } = scope
  const step = { run, registry, scope: { environmentId, organizationId, mode }, now: new Date() }
  const lines = linesAfter(await readLines(order.id, step))
  const question = questionOf(lines, await listsOfBundles(lines, step))
  const planned = () => ({ order, lines, question })
  const { candidates, lists } = await readCandidatesUnasked(order, skusOf(lines), planned, step)
  return metBy({ ...question, lists }, candidates).flatMap(({ promotion }) =>
    promotion.type === 'free_gift_promotions' && promotion.sku_list_id !== null
      ? [promotion.sku_list_id]
      : [],
  )
}
