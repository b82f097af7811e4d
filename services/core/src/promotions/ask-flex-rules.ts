/** What the rules of flex promotions say of an order as it will be, before any promotion. */
import type { Row } from '@merx/jsonapi/attributes'
import { numberOf } from '../engine/write/persist.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'
import { askRules } from '../rules-engine/ask-rules.ts'
import type { PlannedAction, RuleOutcome } from '../rules-engine/ask-rules.ts'
import { askedTree } from '../rules-engine/asked-tree.ts'
import { outcomeView } from '../rules-engine/outcome-view.ts'
import { parseRules } from '../rules-engine/rules-schema.ts'
import type { LineAction } from './discount-lines.ts'
import { readOrderTree } from './order-tree.ts'
import type { OrderTree } from './order-tree.ts'
import type { FlexOutcome } from './promotion-kind.ts'

/** One for each document, in the same order; undefined where there is none, or one of before a stricter check. */
export const askFlexRules = async (
  documents: readonly unknown[],
  order: Row,
  lines: readonly Row[],
  step: Pick<WorkflowStep, 'run' | 'registry' | 'scope' | 'now'>,
): Promise<readonly (FlexOutcome | undefined)[]> => {
  if (lines.length === 0 || typeof order['id'] !== 'number') return documents.map(() => undefined)
  const parsed = documents.map((document) => parseRules(document, 'order'))
  const rules = parsed.flatMap((result) => (result.ok ? [result.value] : []))
  const tree = await readOrderTree({ ...order, id: numberOf(order) }, lines, rules, step)
  if (tree === undefined) return documents.map(() => undefined)
  return parsed.map((result) => {
    if (!result.ok) return undefined
    const outcomes = askRules(result.value, askedTree(tree.root, step.now))
    return { actions: actionsOf(outcomes, tree), outcomes: outcomeView(outcomes) }
  })
}

const actionsOf = (outcomes: readonly RuleOutcome[], tree: OrderTree): readonly LineAction[] =>
  outcomes.flatMap(({ actions }) => actions.map((planned) => toLineAction(planned, tree)))

const toLineAction = (
  { action, lines, intervalCents }: PlannedAction,
  { positions }: OrderTree,
): LineAction => {
  const at = ({ line }: PlannedAction['lines'][number]): number => positions.get(line) ?? -1
  return {
    action,
    intervalCents,
    units: new Map(lines.map((selected) => [at(selected), selected.units])),
    compareAtCents: new Map(
      lines.flatMap((selected) => {
        const cents = selected.line['compare_at_amount_cents']
        return typeof cents === 'number' ? [[at(selected), cents] as const] : []
      }),
    ),
  }
}
