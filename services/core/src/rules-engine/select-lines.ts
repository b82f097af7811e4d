/** Which lines of an order an action is for, and how many units of each. */
import type { AskedTree } from './asked-tree.ts'
import { isAggregated } from './conditions.ts'
import type { Groups } from './conditions.ts'
import { isJson } from './facts.ts'
import type { Fact, Json } from './facts.ts'
import { isMatch } from './matchers.ts'
import type { Action, Bundle, Sort } from './rules.ts'

export interface SelectedLine {
  readonly line: Json
  /** At most its quantity; of a price one. */
  readonly units: number
}

interface Found {
  readonly line: Json
  readonly fact: Fact
}

/** A price is all that its rules are about. */
const isOfWhole = ({ selector }: Action): boolean => selector === 'order' || selector === 'price'

/** None when the aggregation of the action does not hold, or when a bundle has nothing of one of its groups. */
export const selectLines = (action: Action, asked: AskedTree, groups: Groups): readonly SelectedLine[] => {
  const named = action.groups ?? []
  const inGroups = findLines(action, asked).filter(
    ({ line }) => named.length === 0 || named.some((name) => groups.get(name)?.has(line)),
  )
  const facts = inGroups.map(({ fact }) => fact)
  if (action.aggregation !== undefined && !isAggregated(action.aggregation, facts, asked)) return []
  const { bundle, limit } = action
  if (bundle !== undefined) return bundleOf(bundle, action, inGroups, groups)
  const lines = limit === undefined ? inGroups : sorted(inGroups, limit.sort).slice(0, limit.value)
  return lines.map((found) => ({ line: found.line, units: unitsOf(found.line, action) }))
}

/** Each line once, by the first way to it. */
const findLines = (action: Action, { lines, find }: AskedTree): readonly Found[] => {
  const { selector, identifier } = action
  if (isOfWhole(action)) return [...lines].map((line) => ({ line, fact: { value: line, chain: [line] } }))
  const found = new Map<Json, Found>()
  for (const fact of find(selector)) {
    const line = fact.chain.find((node) => lines.has(node))
    const isNamed =
      identifier === undefined
        ? fact.value !== null
        : isMatch('eq', fact.value, identifier) || (isJson(fact.value) && fact.value['id'] === identifier)
    if (line !== undefined && isNamed && !found.has(line)) found.set(line, { line, fact })
  }
  return [...found.values()]
}

const unitsOf = (line: Json, { quantity }: Action): number => {
  const own = Number(line['quantity'] ?? 1)
  return quantity === undefined ? own : Math.min(own, quantity)
}

const sorted = (lines: readonly Found[], { attribute, direction }: Sort): readonly Found[] => {
  const valueOf = ({ line, fact }: Found): number => {
    const value = line[attribute] ?? (isJson(fact.value) ? fact.value[attribute] : undefined)
    return Number(value ?? 0)
  }
  return lines.toSorted((a, b) => (direction === 'asc' ? valueOf(a) - valueOf(b) : valueOf(b) - valueOf(a)))
}

/**
 * Balanced: as many units of each group as the smallest one has. Every: the largest multiple of a number of units of the
 * one group. Both take the units in the order of `sort`.
 */
const bundleOf = (
  { type = 'balanced', value = 1, sort }: Bundle,
  action: Action,
  lines: readonly Found[],
  groups: Groups,
): readonly SelectedLine[] => {
  const parts = (action.groups ?? []).map((name) =>
    sorted(
      lines.filter(({ line }) => groups.get(name)?.has(line)),
      sort,
    ),
  )
  const sums = parts.map((part) => part.reduce((sum, { line }) => sum + unitsOf(line, action), 0))
  const least = Math.min(...sums)
  const units = type === 'every' ? Math.floor(least / value) * value : least
  const taken = new Map<Json, number>()
  for (const part of parts) takeUnits(part, units, action, taken)
  return [...taken].map(([line, count]) => ({ line, units: Math.min(count, unitsOf(line, action)) }))
}

const takeUnits = (
  lines: readonly Found[],
  units: number,
  action: Action,
  taken: Map<Json, number>,
): void => {
  let open = units
  for (const { line } of lines) {
    const count = Math.min(open, unitsOf(line, action))
    if (count > 0) taken.set(line, (taken.get(line) ?? 0) + count)
    open -= count
  }
}
