/** Outcomes as they are shown: on the line of a promotion, and to whoever checks rules. */
import type { RuleOutcome } from './ask-rules.ts'
import type { Json } from './facts.ts'

/** Which rules were met, which conditions by what, and whom the actions are for. Lines without an id are about to be added. */
export const outcomeView = (outcomes: readonly RuleOutcome[]) => ({
  match: outcomes.some(({ isMet }) => isMet),
  rules: outcomes.map(({ rule, isMet, conditions, actions }) => ({
    ...(rule.id === undefined ? {} : { id: rule.id }),
    name: rule.name,
    match: isMet,
    conditions: conditions.map(({ condition, isMet: isConditionMet, facts }) => ({
      field: condition.field,
      matcher: condition.matcher,
      ...(condition.group === undefined ? {} : { group: condition.group }),
      match: isConditionMet,
      matches: facts.slice(0, MATCHES_MAX).map(({ value, chain }) => ({ ...keyOf(chain.at(-1)), value })),
    })),
    actions: actions.map(({ action, lines }) => ({
      type: action.type,
      selector: action.selector,
      resources: lines.slice(0, MATCHES_MAX).map(({ line, units }) => ({ ...keyOf(line), quantity: units })),
    })),
  })),
})

/** So that what is kept on a line stays small. */
const MATCHES_MAX = 100

const keyOf = (node: Json | undefined): Readonly<Record<string, unknown>> =>
  node === undefined ? {} : { type: node['type'] ?? null, id: node['id'] ?? null }
