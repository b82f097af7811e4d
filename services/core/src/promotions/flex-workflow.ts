/** Checks the rules of a flex promotion when they are written. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import type { WorkflowStep, WriteWorkflow } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'
import { problemsOf } from './rules-engine/rule-problems.ts'
import type { RuleLimits } from './rules-engine/rule-problems.ts'
import { parseRules } from './rules-engine/rules.ts'

const PROBLEMS_MAX = 20

export const flexWorkflow: WriteWorkflow = {
  completesFrom: ['rules'],

  complete: async (after, _before, _request, step) => {
    const { rules = null } = columnsOf('Promotion', after)
    // Without any the attribute itself says that it is missing.
    if (rules === null) return {}
    const parsed = parseRules(rules)
    const problems = parsed.ok
      ? problemsOf(parsed.value, await ruleLimits(step), step.registry)
      : parsed.violations.map(({ pointer, message }) => `${pointer.slice(1) || 'it'} ${message}`)
    return problems.length === 0 ? {} : { violations: problems.slice(0, PROBLEMS_MAX).map(toViolation) }
  },
}

const toViolation = (problem: string): WriteViolation => ({
  at: { attribute: 'rules' },
  error: 'invalid',
  message: `is no document of rules: ${problem}`,
})

/** As the organization set them. */
export const ruleLimits = async (step: Pick<WorkflowStep, 'run' | 'scope'>): Promise<RuleLimits> => ({
  rules: Number(await readSetting('promotions_max_rules_size', step)),
  conditions: Number(await readSetting('promotions_max_conditions_size', step)),
  pattern: Number(await readSetting('api_max_regex_length', step)),
})
