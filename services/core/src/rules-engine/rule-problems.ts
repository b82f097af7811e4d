/** What is wrong with rules whose shape is right: paths that the subject lacks, groups that nothing names, values that do not fit. */
import { patternProblem } from '../definitions/patterns.ts'
import type { Registry } from '../engine/registry.ts'
import { isDynamic, isKnownExpression } from './dynamic-values.ts'
import { isJson } from './facts.ts'
import { pathsOfRules, wayOf } from './paths.ts'
import { RANGE_MATCHERS, RULE_LIMITS, valueOf } from './rules.ts'
import type { Action, Condition, ConditionSet, Rule, RulesDocument } from './rules.ts'
import type { RuleSubject } from './subjects.ts'

export interface RuleLimits {
  readonly rules: number
  /** Of all rules, with nested ones. */
  readonly conditions: number
  /** Characters of a regular expression. */
  readonly pattern: number
}

/** One sentence for each, which begins with what it is about; none when the rules can be asked. */
export const problemsOf = (
  document: RulesDocument,
  subject: RuleSubject,
  limits: RuleLimits,
  registry: Registry,
): readonly string[] => {
  const { rules } = document
  const conditions = rules.flatMap(allConditions).length
  return [
    ...(conditions > limits.conditions
      ? [`rules have ${conditions} conditions; at most ${limits.conditions} are allowed`]
      : []),
    ...(rules.length > limits.rules
      ? [`rules has ${rules.length}; at most ${limits.rules} are allowed`]
      : []),
    ...pathsOfRules(document).flatMap((path) => {
      const { problem } = wayOf(path, subject, registry)
      return problem === undefined ? [] : [`"${path}" leads nowhere: ${problem}`]
    }),
    ...rules.flatMap((rule, at) => problemsOfRule(rule, limits).map((problem) => `rules/${at}: ${problem}`)),
  ]
}

const problemsOfRule = (rule: Rule, limits: RuleLimits): readonly string[] => {
  const conditions = allConditions(rule)
  const known = new Set(conditions.flatMap(({ group }) => group ?? []))
  const depth = depthOf(rule)
  return [
    ...(depth > RULE_LIMITS.depth ? [`nests ${depth} deep; at most ${RULE_LIMITS.depth} are allowed`] : []),
    ...conditions.flatMap((condition) => problemsOfCondition(condition, limits)),
    ...rule.actions.flatMap((action) => problemsOfAction(action, known)),
  ]
}

const allConditions = ({ conditions }: ConditionSet): readonly Condition[] =>
  conditions.flatMap((condition) => [
    condition,
    ...(condition.nested === undefined ? [] : allConditions(condition.nested)),
  ])

const depthOf = ({ conditions }: ConditionSet): number =>
  1 + Math.max(0, ...conditions.map(({ nested }) => (nested === undefined ? 0 : depthOf(nested))))

const LIST_MATCHERS: readonly string[] = ['is_in', 'is_not_in']
const PATTERN_MATCHERS: readonly string[] = ['matches', 'does_not_match']

const problemsOfCondition = ({ matcher, value }: Condition, limits: RuleLimits): readonly string[] => {
  const unknown = [value].flat().filter((one: unknown) => isDynamic(one) && !isKnownExpression(one))
  if (unknown.length > 0)
    return [
      `"${String(unknown[0])}" is no known expression; allowed: {{today}}, {{order.<field>}} or {{price.<field>}}, {{year|month|day(<date>)}}, {{range(<date>, 7.days|months|years)}}`,
    ]
  const wanted = wantedOf(matcher, value)
  if (wanted !== undefined) return [`the value of ${matcher} must be ${wanted}`]
  if (!PATTERN_MATCHERS.includes(matcher) || typeof value !== 'string') return []
  if (value.length > limits.pattern)
    return [`the value of ${matcher} has ${value.length} characters; at most ${limits.pattern} are allowed`]
  const problem = patternProblem(value)
  return problem === undefined
    ? []
    : [`the value of ${matcher} must be a regular expression of RE2 syntax (${problem})`]
}

/** Undefined where the value fits. */
const wantedOf = (matcher: string, value: unknown): string | undefined => {
  if (RANGE_MATCHERS.some((range) => range === matcher))
    return isDynamic(value) || (Array.isArray(value) && value.length === 2)
      ? undefined
      : 'a list of two values'
  if (LIST_MATCHERS.includes(matcher)) return Array.isArray(value) ? undefined : 'a list'
  if (matcher === 'array_match')
    return isJson(value) ? undefined : 'an object with in_and, in_or, not_in_and or not_in_or'
  if (PATTERN_MATCHERS.includes(matcher)) return typeof value === 'string' ? undefined : 'a text'
  return typeof value === 'object' ? 'a text, a number or true or false' : undefined
}

const problemsOfAction = (action: Action, known: ReadonlySet<string>): readonly string[] => {
  const { type, groups = [], bundle, limit, apply_on: on, selector } = action
  const { x, y } = valueOf(action)
  const isLarge = type === 'buy_x_pay_y' && x !== undefined && y !== undefined && y >= x
  const ofOrder = on === 'subtotal_amount_cents' || on === 'total_amount_cents'
  return [
    ...groups
      .filter((group) => !known.has(group))
      .map((group) => `no condition has the group "${group}", which an action names`),
    ...(bundle !== undefined && limit !== undefined ? ['an action has bundle or limit, not both'] : []),
    ...(bundle?.type === 'every' && (groups.length !== 1 || bundle.value === undefined)
      ? ['a bundle of type every needs one group and a value']
      : []),
    ...(bundle !== undefined && bundle.type !== 'every' && groups.length < 2
      ? ['a balanced bundle needs two groups or more']
      : []),
    ...(isLarge ? [`y of buy_x_pay_y must be less than x, which is ${x}`] : []),
    ...(on !== undefined && ofOrder !== (selector === 'order')
      ? [`apply_on of ${selector} cannot be ${on}`]
      : []),
  ]
}
