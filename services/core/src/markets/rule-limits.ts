/** How large documents of rules may be, as the organization set it. */
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import type { RuleLimits } from '../rules-engine/rule-problems.ts'
import type { RuleSubject } from '../rules-engine/subjects.ts'
import { readSetting } from './settings.ts'

const SETTINGS = {
  order: { rules: 'promotions_max_rules_size', conditions: 'promotions_max_conditions_size' },
  price: { rules: 'price_lists_max_rules_size', conditions: 'price_lists_max_conditions_size' },
} as const

export const ruleLimits = async (
  subject: RuleSubject,
  step: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<RuleLimits> => ({
  rules: Number(await readSetting(SETTINGS[subject].rules, step)),
  conditions: Number(await readSetting(SETTINGS[subject].conditions, step)),
  pattern: Number(await readSetting('api_max_regex_length', step)),
})
