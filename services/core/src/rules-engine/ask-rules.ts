/** Asks the rules of a document about an order or a price in nested JSON: which are met, by what, and which lines their actions are for. */
import type { AskedTree } from './asked-tree.ts'
import { askConditions } from './conditions.ts'
import type { MetCondition } from './conditions.ts'
import { valueOf } from './rules.ts'
import type { Action, Rule, RulesDocument } from './rules.ts'
import { selectLines } from './select-lines.ts'
import type { SelectedLine } from './select-lines.ts'

export interface PlannedAction {
  readonly action: Action
  readonly lines: readonly SelectedLine[]
  /** Of `every_x_discount_y`: the amount whose intervals count. */
  readonly intervalCents: number
}

export interface RuleOutcome {
  readonly rule: Rule
  readonly isMet: boolean
  readonly conditions: readonly MetCondition[]
  /** None unless the rule is met. */
  readonly actions: readonly PlannedAction[]
}

/** In the order of their priority, the lower number first; those of the same one as they stand. */
export const askRules = ({ rules }: RulesDocument, asked: AskedTree): readonly RuleOutcome[] =>
  rules
    .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
    .map((rule) => {
      const { isMet, conditions, groups } = askConditions(rule, asked)
      const actions = isMet
        ? rule.actions.map((action) => ({
            action,
            lines: withGifts(action, selectLines(action, asked, groups), asked),
            intervalCents: intervalOf(action, asked),
          }))
        : []
      return { rule, isMet, conditions, actions }
    })

const intervalOf = (action: Action, { find }: AskedTree): number => {
  const { attribute } = valueOf(action)
  if (attribute === undefined) return 0
  return find(attribute).reduce((sum, { value }) => sum + (Number(value) || 0), 0)
}

/** A gift is one of those that the action names. */
const withGifts = (
  action: Action,
  lines: readonly SelectedLine[],
  { find }: AskedTree,
): readonly SelectedLine[] => {
  const { identifiers } = valueOf(action)
  if (identifiers === undefined) return lines
  const named = new Set(
    Object.entries(identifiers).flatMap(([path, ids]) =>
      find(path).flatMap(({ value, chain }) => (ids.includes(String(value)) ? chain : [])),
    ),
  )
  return lines.filter(({ line }) => named.has(line))
}
