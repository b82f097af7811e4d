/** What lines of orders are made of: a SKU each, or the SKUs of a bundle. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../engine/database/rows.ts'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export interface PartOfLine {
  readonly line: Row
  readonly sku: number
  /** Units of the SKU in one unit of the line. */
  readonly perUnit: number
  /** Of all units of the line. */
  readonly quantity: number
  readonly isBundled: boolean
}

type BundleSku = RowOf<'BundleSku'>

const BUNDLE_SKUS =
  'SELECT * FROM bundle_skus WHERE environment_id = $1 AND bundle_id = ANY($2::bigint[]) ORDER BY bundle_id, sku_id'

/** What is in a bundle never changes, so that it can be read whenever it is needed. Lines of neither have no parts. */
export const partsOfLines = async (
  lines: readonly Row[],
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly PartOfLine[]> => {
  const bundles = [...new Set(lines.flatMap((line) => itemOf(line, 'bundles')))]
  const values = [scope.environmentId, bundles]
  const rows = bundles.length === 0 ? [] : await run<BundleSku>({ text: BUNDLE_SKUS, values })
  const parts = Map.groupBy(rows, ({ bundle_id: bundle }) => bundle)
  return lines.flatMap((line) => {
    const { quantity = 0 } = columnsOf('LineItem', line)
    return [
      ...itemOf(line, 'skus').map((sku) => ({ line, sku, perUnit: 1, quantity, isBundled: false })),
      ...itemOf(line, 'bundles').flatMap((bundle) =>
        (parts.get(bundle) ?? []).map(({ sku_id: sku, quantity: perUnit }) => ({
          line,
          sku,
          perUnit,
          quantity: perUnit * quantity,
          isBundled: true,
        })),
      ),
    ]
  })
}

const itemOf = (line: Row, wanted: 'skus' | 'bundles'): readonly number[] => {
  const { item_type: type, item_id: item } = columnsOf('LineItem', line)
  return type === wanted && typeof item === 'number' ? [item] : []
}
