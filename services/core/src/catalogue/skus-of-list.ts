/** Which SKUs a list has, and which lists a SKU is in: by items, or by the pattern of a list that is not by hand. */
import type { ComputedRelationship, PagedRelationship, VirtualRelationship } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { Build } from '../engine/sql/relations.ts'

type Pair = { readonly owner: number; readonly target: number }

/** `sku_lists.skus` of one list, by pages. A list by hand is read by its items, so that a short one costs little in a large shop. */
export const skusOfOneList: PagedRelationship = async (list, { run, scope }) => {
  const [found] = await run<Pick<RowOf<'SkuList'>, 'manual' | 'sku_code_pattern'>>({
    text: 'SELECT manual, sku_code_pattern FROM sku_lists WHERE environment_id = $1 AND id = $2',
    values: [scope.environmentId, list],
  })
  if (found === undefined) return () => ['false']
  if (!found.manual)
    return (sku, { params }) => [`${sku}.code ~ ${params.add(found.sku_code_pattern, 'text')}`]
  return (sku, { params }) => [
    `${sku}.id IN (SELECT its_item.sku_id FROM sku_list_items AS its_item
      WHERE its_item.environment_id = ${params.environment} AND its_item.sku_list_id = ${params.add(list, 'bigint')})`,
  ]
}

/** `sku_lists.skus` of many lists, for includes. */
export const skusOfList: ComputedRelationship = async ({ numbers }, { run, scope }) => {
  const values = [scope.environmentId, numbers]
  const listed = await run<Pair & Pick<RowOf<'SkuListItem'>, 'sku_id'>>({
    text: `SELECT items.sku_list_id AS owner, items.sku_id AS target FROM sku_list_items AS items
      JOIN sku_lists AS lists ON lists.environment_id = $1 AND lists.id = items.sku_list_id AND lists.manual
      WHERE items.environment_id = $1 AND items.sku_list_id = ANY($2::bigint[])`,
    values,
  })
  const matching = await run<Pair & Pick<RowOf<'Sku'>, 'code'>>({
    text: `SELECT lists.id AS owner, skus.id AS target FROM sku_lists AS lists
      JOIN skus ON skus.environment_id = $1 AND skus.code ~ lists.sku_code_pattern
      WHERE lists.environment_id = $1 AND lists.id = ANY($2::bigint[]) AND NOT lists.manual`,
    values,
  })
  return [...listed, ...matching]
}

const isInList = (sku: string, list: string, { params }: Build): string => `CASE WHEN ${list}.manual
    THEN EXISTS (SELECT 1 FROM sku_list_items AS its_item WHERE its_item.environment_id = ${params.environment}
      AND its_item.sku_list_id = ${list}.id AND its_item.sku_id = ${sku}.id)
    ELSE ${sku}.code ~ ${list}.sku_code_pattern END`

/** `skus.sku_lists` */
export const listsOfSku: VirtualRelationship = ({ owner, target }, build) => [isInList(owner, target, build)]

/** `sku_lists.skus`, for filters. */
export const skusOfListInSql: VirtualRelationship = ({ owner, target }, build) => [
  isInList(target, owner, build),
]

/** `skus` of what names a list, such as a promotion. */
export const skusOfItsList: VirtualRelationship = ({ owner, target }, build) => [
  `EXISTS (SELECT 1 FROM sku_lists AS its_list WHERE its_list.environment_id = ${build.params.environment}
    AND its_list.id = ${owner}.sku_list_id AND ${isInList(target, 'its_list', build)})`,
]
