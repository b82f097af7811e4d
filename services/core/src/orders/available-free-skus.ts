/** `orders.available_free_skus`: what free gifts an order that meets their rules may put in, whether or not it has them. */
import type { ComputedRelationship } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { metBy } from '../promotions/discount-order.ts'
import { readCandidatesUnasked } from '../promotions/read-candidates.ts'
import { linesAfter, readLines } from './order-lines.ts'
import { questionOf, skusOf } from './promotion-lines.ts'

export const availableFreeSkus: ComputedRelationship = async ({ numbers }, reading) => {
  const { run, scope } = reading
  const orders = await run<RowOf<'Order'>>({
    text: 'SELECT * FROM orders WHERE environment_id = $1 AND id = ANY($2::bigint[])',
    values: [scope.environmentId, numbers],
  })
  const pairs: { readonly owner: number; readonly target: number }[] = []
  for (const order of orders)
    for (const target of await giftsOf(order, reading)) pairs.push({ owner: order.id, target })
  return pairs
}

const giftsOf = async (
  order: RowOf<'Order'>,
  { run, scope, registry }: Parameters<ComputedRelationship>[1],
): Promise<readonly number[]> => {
  const { environmentId, organizationId, mode } = scope
  const step = { run, registry, scope: { environmentId, organizationId, mode }, now: new Date() }
  const lines = linesAfter(await readLines(order.id, step))
  const question = questionOf(lines)
  const planned = () => ({ order, lines, question })
  const { candidates, lists } = await readCandidatesUnasked(order, skusOf(lines), planned, step)
  const gifts = metBy({ ...question, lists }, candidates).flatMap(({ promotion }) =>
    promotion.type === 'free_gift_promotions' && promotion.sku_list_id !== null
      ? [promotion.sku_list_id]
      : [],
  )
  if (gifts.length === 0) return []
  const items = await run<Pick<RowOf<'SkuListItem'>, 'sku_id'>>({
    text: `SELECT DISTINCT items.sku_id FROM sku_list_items AS items
      JOIN sku_lists AS lists ON lists.environment_id = $1 AND lists.id = items.sku_list_id AND lists.manual
      WHERE items.environment_id = $1 AND items.sku_list_id = ANY($2::bigint[])`,
    values: [environmentId, gifts],
  })
  return items.map(({ sku_id: sku }) => sku)
}
