/** Whether an order meets the conditions of a rule, and which of its lines are in the groups that the conditions name. */
import type { AskedTree } from './asked-tree.ts'
import { resolveValue } from './dynamic-values.ts'
import type { Fact, Json } from './facts.ts'
import { isMatch } from './matchers.ts'
import type { Aggregation, Condition, ConditionSet } from './rules.ts'

/** Name of a group → the lines that are in it. */
export type Groups = ReadonlyMap<string, ReadonlySet<Json>>

export interface MetCondition {
  readonly condition: Condition
  readonly isMet: boolean
  readonly facts: readonly Fact[]
  /** Those of nested conditions, for each fact. */
  readonly nestedGroups: readonly Groups[]
}

export interface MetSet {
  readonly isMet: boolean
  readonly conditions: readonly MetCondition[]
  readonly groups: Groups
}

/** Every condition is asked, so that groups are whole whatever the logic. */
export const askConditions = (set: ConditionSet, asked: AskedTree, within: readonly Json[] = []): MetSet => {
  const conditions = set.conditions.map((condition) => askCondition(condition, asked, within))
  const isMet =
    set.conditions_logic === 'or'
      ? conditions.some((condition) => condition.isMet)
      : conditions.every((condition) => condition.isMet)
  return { isMet, conditions, groups: groupsOf(conditions, asked) }
}

/** What was found outside of lines, such as the customer, stands for all of them. */
const groupsOf = (conditions: readonly MetCondition[], { lines }: AskedTree): Groups => {
  const groups = new Map<string, Set<Json>>()
  const add = (name: string, members: Iterable<Json>): void => {
    const group = groups.get(name) ?? new Set()
    for (const line of members) group.add(line)
    groups.set(name, group)
  }
  for (const { condition, isMet, facts, nestedGroups } of conditions) {
    if (!isMet) continue
    for (const [name, members] of nestedGroups.flatMap((nested) => [...nested])) add(name, members)
    if (condition.group === undefined) continue
    for (const { chain } of facts) {
      const line = chain.find((node) => lines.has(node))
      add(condition.group, line === undefined ? lines : [line])
    }
  }
  return groups
}

const askCondition = (condition: Condition, asked: AskedTree, within: readonly Json[]): MetCondition => {
  const { matcher, scope, nested, aggregations = [] } = condition
  const all = factsOf(condition, asked, within)
  const value = resolveValue(condition.value, asked)
  const met = all
    .filter((fact) => isMatch(matcher, fact.value, value))
    .map((fact) => ({
      fact,
      inner: nested === undefined ? undefined : askConditions(nested, asked, fact.chain),
    }))
    .filter(({ inner }) => inner?.isMet !== false)
  const facts = met.map(({ fact }) => fact)
  const nestedGroups = met.flatMap(({ inner }) => inner?.groups ?? [])
  const isEnough = scope === 'all' ? facts.length === all.length : true
  const isMet = facts.length > 0 && isEnough && aggregations.every((each) => isAggregated(each, facts, asked))
  return { condition, isMet, facts, nestedGroups }
}

/** A list is matched as a whole: the values that share the way up to the last list. */
const factsOf = (
  { field, matcher }: Condition,
  { root, lines, find }: AskedTree,
  within: readonly Json[],
): readonly Fact[] => {
  const facts = find(field, within)
  if (matcher !== 'array_match') return facts
  const owners = Map.groupBy(facts, ({ chain }) => chain.find((node) => lines.has(node)) ?? chain[0] ?? root)
  const empty = facts.length === 0 ? [{ value: [], chain: [root] }] : []
  return [
    ...empty,
    ...[...owners].map(([owner, values]) => ({
      value: values.map((fact) => fact.value).flat(),
      chain: values[0]?.chain.slice(0, values[0].chain.indexOf(owner) + 1) ?? [],
    })),
  ]
}

/** An amount over what was found: each object counts once, however many ways lead to it. */
export const isAggregated = (
  { field, operator, matcher, value }: Aggregation,
  facts: readonly Pick<Fact, 'chain'>[],
  { find }: AskedTree,
): boolean => {
  const found = new Map<unknown, unknown>()
  for (const { chain } of facts)
    for (const fact of find(field, chain)) found.set(fact.chain.at(-1) ?? fact, fact.value)
  const values = [...found.values()].filter((each) => each !== null && each !== undefined)
  return isMatch(matcher, aggregate(operator, values), value)
}

const aggregate = (operator: Aggregation['operator'], values: readonly unknown[]): number | null => {
  if (operator === 'count') return values.length
  if (operator === 'count_uniq') return new Set(values).size
  const numbers = values.map(Number).filter(Number.isFinite)
  if (operator === 'sum') return numbers.reduce((sum, number) => sum + number, 0)
  if (numbers.length === 0) return null
  return operator === 'min' ? Math.min(...numbers) : Math.max(...numbers)
}
