/** Checks a document of rules when it is written. */
import type { WriteViolation } from '@merx/jsonapi/rules'
import type { Registry } from '../engine/registry.ts'
import { problemsOf } from './rule-problems.ts'
import type { RuleLimits } from './rule-problems.ts'
import { parseRules } from './rules-schema.ts'
import type { RuleSubject } from './subjects.ts'

const PROBLEMS_MAX = 20

/** At `rules`, a sentence each; none without rules. */
export const violationsOfRules = (
  rules: unknown,
  subject: RuleSubject,
  limits: RuleLimits,
  registry: Registry,
): readonly WriteViolation[] => {
  if (rules === null || rules === undefined) return []
  const parsed = parseRules(rules, subject)
  const problems = parsed.ok
    ? problemsOf(parsed.value, subject, limits, registry)
    : parsed.violations.map(({ pointer, message }) => `${pointer.slice(1) || 'it'} ${message}`)
  return problems.slice(0, PROBLEMS_MAX).map((problem) => ({
    at: { attribute: 'rules' },
    error: 'invalid',
    message: `is no document of rules: ${problem}`,
  }))
}
