/** Which of some SKUs are in which lists, and whether a list has others besides: by items, or by its pattern. */
import type { RowOf } from '../engine/database/rows.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'

export interface ListedSku {
  /** Undefined in a list by pattern. */
  readonly position: number | null
  readonly quantity: number
  /** The item, for the order of those without a position. */
  readonly item: number | null
}

export interface ListedSkus {
  readonly isByHand: boolean
  /** Number of a SKU → its place in the list. */
  readonly skus: ReadonlyMap<number, ListedSku>
  /** The list has no SKU but these. */
  readonly isComplete: boolean
}

type ListRow = Pick<RowOf<'SkuList'>, 'id' | 'manual'> & {
  readonly found: readonly (ListedSku & { readonly sku: number })[] | null
  readonly is_complete: boolean
}

/** Whether a list has others is asked only of `whole` ones: by pattern it means a look at every SKU of the shop. */
const LISTED = `SELECT lists.id, lists.manual,
    (SELECT jsonb_agg(jsonb_build_object(
        'sku', skus.id, 'position', items.position, 'quantity', coalesce(items.quantity, 1), 'item', items.id))
      FROM skus
      LEFT JOIN sku_list_items AS items ON items.environment_id = $1 AND items.sku_list_id = lists.id
        AND items.sku_id = skus.id AND lists.manual
      WHERE skus.environment_id = $1 AND skus.id = ANY($3::bigint[])
        AND CASE WHEN lists.manual THEN items.id IS NOT NULL ELSE skus.code ~ lists.sku_code_pattern END) AS found,
    CASE
      WHEN lists.id <> ALL($4::bigint[]) THEN false
      WHEN lists.manual THEN NOT EXISTS (
        SELECT FROM sku_list_items AS others WHERE others.environment_id = $1 AND others.sku_list_id = lists.id
          AND others.sku_id <> ALL($3::bigint[]))
      ELSE NOT EXISTS (
        SELECT FROM skus AS others WHERE others.environment_id = $1 AND others.code ~ lists.sku_code_pattern
          AND others.id <> ALL($3::bigint[]))
    END AS is_complete
  FROM sku_lists AS lists
  WHERE lists.environment_id = $1 AND lists.id = ANY($2::bigint[])`

export const readListedSkus = async (
  {
    lists,
    skus,
    whole,
  }: {
    readonly lists: readonly number[]
    readonly skus: readonly number[]
    readonly whole: readonly number[]
  },
  { run, environmentId }: { readonly run: RunStatement; readonly environmentId: number },
): Promise<ReadonlyMap<number, ListedSkus>> => {
  if (lists.length === 0) return new Map()
  const rows = await run<ListRow>({ text: LISTED, values: [environmentId, lists, skus, whole] })
  return new Map(
    rows.map(({ id, manual, found, is_complete: isComplete }) => [
      id,
      {
        isByHand: manual,
        skus: new Map((found ?? []).map(({ sku, ...listed }) => [sku, listed])),
        isComplete,
      },
    ]),
  )
}
