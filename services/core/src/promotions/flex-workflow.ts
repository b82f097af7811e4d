/** Checks the rules of a flex promotion when they are written. */
import { columnsOf } from '../engine/database/rows.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { ruleLimits } from '../markets/rule-limits.ts'
import { violationsOfRules } from '../rules-engine/check-document.ts'

export const flexWorkflow: WriteWorkflow = {
  completesFrom: ['rules'],

  // Without any the attribute itself says that they are missing.
  complete: async (after, _before, _request, step) => ({
    violations: violationsOfRules(
      columnsOf('Promotion', after).rules,
      'order',
      await ruleLimits('order', step),
      step.registry,
    ),
  }),
}
