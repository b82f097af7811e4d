/** An fbt plan → one statement: items of the orders that hold all the given ones, each counted once an order. */
import type { FbtPlan } from '../plan/plan.ts'
import { renderReach, renderTable } from './render-reach.ts'
import type { Params } from './statement.ts'

const ID = '`line_items.item_id`'

/**
 * Columns item_id, value, type, name. The name is that of the first created order that has one, else the code; equal
 * counts are ordered by id.
 */
export const renderFbt = (plan: FbtPlan, params: Params): string => {
  const reach = renderReach(plan.reach, params)
  const given = params.add(plan.itemIds, 'Array(String)')
  const types = params.add(plan.itemTypes, 'Array(String)')
  const limit = params.add(plan.limit, 'UInt32')
  const isOther = `isNotNull(i) AND has(${types}, t) AND NOT has(${given}, ifNull(i, ''))`
  const items = `arrayDistinct(arrayFilter((i, t) -> ${isOther}, ${ID}, \`line_items.item_type\`))`
  const first = `indexOf(${ID}, item)`
  const rows =
    `SELECT created_at, id, arrayJoin(${items}) AS item, \`line_items.item_type\`[${first}] AS type, ` +
    `coalesce(\`line_items.name\`[${first}], \`line_items.code\`[${first}]) AS item_name ` +
    `FROM ${renderTable(plan.reach)} WHERE ${reach} AND arrayAll(g -> has(${ID}, g), ${given})`
  return (
    'SELECT assumeNotNull(item) AS item_id, toString(count()) AS value, argMin(type, (created_at, id)) AS type, ' +
    'argMinIf(item_name, (created_at, id), isNotNull(item_name)) AS name ' +
    `FROM (${rows}) GROUP BY item ORDER BY count() DESC, item_id ASC LIMIT ${limit}`
  )
}
