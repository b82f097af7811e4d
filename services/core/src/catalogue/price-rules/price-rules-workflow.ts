/** Checks the rules of prices and price lists when they are written, whether they are run or not. */
import type { Row } from '@merx/jsonapi/attributes'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { sentNames } from '@merx/jsonapi/write-request'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { WorkflowStep, WriteWorkflow } from '../../engine/write/write-workflow.ts'
import { ruleLimits } from '../../markets/rule-limits.ts'
import { violationsOfRules } from '../../rules-engine/check-document.ts'
import { isJson } from '../../rules-engine/facts.ts'

/** `{}` is no rules, as null is. */
export const violationsOfPriceRules = async (
  { rules }: Row,
  request: WriteRequest,
  step: WorkflowStep,
): Promise<readonly WriteViolation[]> => {
  if (!sentNames(request).has('rules')) return []
  if (isJson(rules) && Object.keys(rules).length === 0) return []
  return violationsOfRules(rules, 'price', await ruleLimits('price', step), step.registry)
}

export const priceWorkflow: WriteWorkflow = {
  onlyIfSent: ['rules'],
  completesFrom: ['rules'],

  complete: async (after, _before, request, step) => ({
    violations: await violationsOfPriceRules(after, request, step),
  }),
}
