/**
 * Writes of markets: `price_list` is written as the base list and read as the list in force. Sending the list in force changes
 * nothing, so that a market can be sent as it was read while a scheduler is active.
 */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { rowOf } from '../engine/database/rows.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { listsInForce } from './list-in-force.ts'
import { moneyViolations } from './same-money.ts'

const SCHEDULED = `SELECT DISTINCT price_list_id FROM price_list_schedulers
  WHERE environment_id = $1 AND market_id = $2 AND status_changes_at IS NOT NULL ORDER BY price_list_id`

const violationsOf = async (
  market: number,
  base: number,
  step: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  const values = [step.scope.environmentId, market]
  const scheduled = await step.run<{ price_list_id: number }>({ text: SCHEDULED, values })
  for (const { price_list_id: list } of scheduled) {
    const [violation] = await moneyViolations(base, list, step)
    if (violation !== undefined)
      return [{ ...violation, message: `${violation.message}, as those of its price list schedulers` }]
  }
  return []
}

export const marketWorkflow: WriteWorkflow = {
  completesFrom: ['price_list'],

  complete: async (after, before, _request, step) => {
    const { id, price_list_id: list } = rowOf('Market', after)
    if (before === undefined) return { set: { base_price_list_id: list } }
    if (rowOf('Market', before).price_list_id === list) return {}
    const violations = await violationsOf(id, list, step)
    if (violations.length > 0) return { violations }
    const lists = await listsInForce([{ id, base_price_list_id: list }], { written: [], planned: [] }, step)
    return { set: { base_price_list_id: list, price_list_id: lists.get(id) } }
  },
}
