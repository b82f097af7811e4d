/** Reads the options of an order's lines, for the sums and counters that follow from them. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { isForSku } from '../catalogue/options-of-sku.ts'
import type { RowOf } from '../engine/database/rows.ts'
import { numberOf } from '../engine/write/persist.ts'
import type { RowWrite } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export type OrderOption = RowOf<'LineItemOption'>

type Reading = Pick<WorkflowStep, 'run' | 'scope'>

export const readOptions = (order: number, { run, scope }: Reading): Promise<readonly OrderOption[]> =>
  run<OrderOption>({
    text: `SELECT options.* FROM line_item_options AS options
      JOIN line_items ON line_items.environment_id = $1 AND line_items.id = options.line_item_id
      WHERE options.environment_id = $1 AND line_items.order_id = $2 ORDER BY options.id`,
    values: [scope.environmentId, order],
  })

/** Why the line cannot become one of this SKU: an option of it is for others. */
export const violationsOfOptions = async (
  line: number,
  code: unknown,
  { run, scope }: Reading,
): Promise<readonly WriteViolation[]> => {
  const options = await run<Pick<RowOf<'SkuOption'>, 'name' | 'sku_code_regex'>>({
    text: `SELECT sku_options.name, sku_options.sku_code_regex FROM line_item_options AS options
      JOIN sku_options ON sku_options.environment_id = $1 AND sku_options.id = options.sku_option_id
      WHERE options.environment_id = $1 AND options.line_item_id = $2 ORDER BY options.id`,
    values: [scope.environmentId, line],
  })
  const unfit = typeof code === 'string' ? options.filter((option) => !isForSku(option, code)) : []
  if (unfit.length === 0) return []
  const message = `has not the options of the line item: ${unfit.map(({ name }) => name).join(', ')}`
  return [{ at: { attribute: 'sku_code' }, error: 'invalid', message, value: code }]
}

/** Options that cost nothing go to the order's new currency; others keep the order from getting one (reprice-lines.ts). */
export const optionsInCurrency = async (
  order: Row,
  { registry, ...reading }: WorkflowStep,
): Promise<readonly RowWrite[]> => {
  const definition = registry.require('line_item_options')
  const columns = { currency_code: order['currency_code'] }
  return (await readOptions(numberOf(order), reading)).map((before) => ({ definition, before, columns }))
}
