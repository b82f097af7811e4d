/** Writes of price lists: what a scheduler puts in force next to a market's own list stays in the same money. */
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { violationsOfPriceRules } from './price-rules/price-rules-workflow.ts'

const SAME_MONEY = ['currency_code', 'tax_included'] as const

const IS_SCHEDULED = `SELECT FROM price_list_schedulers AS scheduler
  JOIN markets ON markets.environment_id = $1 AND markets.id = scheduler.market_id
  WHERE scheduler.environment_id = $1 AND scheduler.status_changes_at IS NOT NULL
    AND $2 IN (scheduler.price_list_id, markets.base_price_list_id) LIMIT 1`

const isScheduled = async (list: unknown, { run, scope }: WorkflowStep): Promise<boolean> =>
  (await run({ text: IS_SCHEDULED, values: [scope.environmentId, list] })).length > 0

export const priceListWorkflow: WriteWorkflow = {
  completesFrom: [...SAME_MONEY, 'rules'],

  complete: async (after, before, request, step) => {
    const ofRules = await violationsOfPriceRules(after, request, step)
    if (before === undefined) return { violations: ofRules }
    const changed = SAME_MONEY.filter((attribute) => after[attribute] !== before[attribute])
    if (changed.length === 0 || !(await isScheduled(before['id'], step))) return { violations: ofRules }
    const message =
      'cannot be changed while a price list scheduler that is pending or active switches from or to the list'
    const ofMoney = changed.map((attribute) => ({ at: { attribute }, error: 'is_scheduled', message }))
    return { violations: [...ofMoney, ...ofRules] }
  },
}
