/** Which options a SKU can have: those without a pattern, and those whose pattern is found in its code. */
import { isFoundIn } from '../definitions/patterns.ts'
import type { ComputedRelationship } from '../engine/area.ts'
import type { RowOf } from '../engine/database/rows.ts'

export const isForSku = (
  { sku_code_regex: pattern }: Pick<RowOf<'SkuOption'>, 'sku_code_regex'>,
  code: string,
): boolean => pattern === null || pattern === '' || isFoundIn(pattern, code)

/** `skus.sku_options` */
export const optionsOfSku: ComputedRelationship = async ({ numbers }, { run, scope }) => {
  const skus = await run<Pick<RowOf<'Sku'>, 'id' | 'code'>>({
    text: 'SELECT id, code FROM skus WHERE environment_id = $1 AND id = ANY($2::bigint[])',
    values: [scope.environmentId, numbers],
  })
  const options = await run<Pick<RowOf<'SkuOption'>, 'id' | 'sku_code_regex'>>({
    text: 'SELECT id, sku_code_regex FROM sku_options WHERE environment_id = $1',
    values: [scope.environmentId],
  })
  return skus.flatMap(({ id, code }) =>
    options.filter((option) => isForSku(option, code)).map((option) => ({ owner: id, target: option.id })),
  )
}
