/**
 * Filters → conditions. A filter over relationships means: there is a related row (or, when there is none, a row of
 * nulls, as in a left join) for which it holds. Filters that cross the same relationship speak of the same row.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { FieldTest, Filter, Step } from '@merx/jsonapi/query'
import { testField } from './field-tests.ts'
import { identifier } from './identifiers.ts'
import { linkOf, rowsOfType } from './relations.ts'
import type { Build } from './relations.ts'

/** What rows of a related type must satisfy to count as related: those seen, or all there are. */
export type RowsOf = (definition: ResourceDefinition, alias: string, build: Build) => readonly string[]

/** Every condition that filters put on rows under `alias`. */
export const filterConditions = (
  filters: readonly Filter[],
  alias: string,
  rowsOf: RowsOf,
  build: Build,
): readonly string[] => {
  const direct = filters.map((filter) => ({
    ...filter,
    tests: filter.tests.map((test) => shorten(test, rowsOf, build)),
  }))
  return groupByRelationship(direct).map((group) => conditionOf(group, alias, rowsOf, build))
}

/**
 * The id of a to-one's target is the row's own foreign key; the target need not be looked at when all of its rows are
 * seen.
 */
export const shorten = (fieldTest: FieldTest, rowsOf: RowsOf, build: Build): FieldTest => {
  const { steps, field } = fieldTest.path
  const [step, ...more] = steps
  if (step === undefined || more.length > 0 || field.kind !== 'id') return fieldTest
  const { relationship, from, to, name } = step
  if (relationship.kind !== 'toOne' || relationship.virtual !== undefined) return fieldTest
  const probe = { ...build, params: scratch(build) }
  const isWhole = rowsOf(to, 'probe', probe).length === rowsOfType(to, 'probe', probe).length
  if (to.memberOf !== undefined || !isWhole) return fieldTest
  return { ...fieldTest, path: { steps: [], on: from, field: { kind: 'toOneKey', name, relationship } } }
}

/** Asking whether there are conditions must not add parameters to the statement. */
const scratch = ({ params }: Build): Build['params'] => ({ ...params, add: () => 'NULL' })

/** Filters that share a first relationship, directly or through others, are one group. */
const groupByRelationship = (filters: readonly Filter[]): readonly (readonly Filter[])[] => {
  const groups: { roots: Set<string>; filters: Filter[] }[] = []
  for (const filter of filters) {
    const roots = new Set(filter.tests.flatMap(({ path }) => path.steps[0]?.name ?? []))
    const touching = groups.filter((group) => [...roots].some((root) => group.roots.has(root)))
    for (const group of touching) groups.splice(groups.indexOf(group), 1)
    groups.push({
      roots: new Set([...roots, ...touching.flatMap((group) => [...group.roots])]),
      filters: [...touching.flatMap((group) => group.filters), filter],
    })
  }
  return groups.map((group) => group.filters)
}

const conditionOf = (filters: readonly Filter[], alias: string, rowsOf: RowsOf, build: Build): string => {
  const joins: Joins = new Map()
  const conditions = filters.map(({ tests, combinator }) => {
    const parts = tests.map((test) =>
      testField(test, aliasOf(test.path.steps, alias, joins, rowsOf, build), build),
    )
    return parts.length === 1 ? parts.join('') : `(${parts.join(combinator === 'or' ? ' OR ' : ' AND ')})`
  })
  if (joins.size === 0) return conditions.join(' AND ')
  const needed = requiredRows(filters)
  const entries = [...joins]
  const inner = entries.filter(([key]) => needed.has(key)).map(([, join]) => join)
  const outer = entries.filter(([key]) => !needed.has(key)).map(([, join]) => join)
  const from =
    inner.length === 0 ? '(SELECT 1) AS one' : inner.flatMap(({ tables }) => tables).join(' CROSS JOIN ')
  const sources = [from, ...outer.map(leftJoin)].join(' ')
  const all = [...inner.flatMap(({ on }) => on), ...conditions]
  return `EXISTS (SELECT 1 FROM ${sources} WHERE ${all.join(' AND ')})`
}

/**
 * Relationships, by `keyOf`, that must lead to a row: some filter is of nothing but them and fails on nulls. They are
 * joined plainly, which PostgreSQL can begin with: one SKU by its code, then its prices; not each price and its SKU.
 */
const requiredRows = (filters: readonly Filter[]): ReadonlySet<string> =>
  new Set(
    filters.flatMap(({ tests, combinator }) => {
      const keys = tests.map((test) => (isTrueOfNull(test) ? [] : keysTo(test.path.steps)))
      if (combinator !== 'or') return keys.flat()
      return (keys[0] ?? []).filter((key) => keys.every((others) => others.includes(key)))
    }),
  )

/** Whether a row of nulls can pass. */
const isTrueOfNull = ({ test }: FieldTest): boolean => {
  switch (test.kind) {
    case 'null':
    case 'blank':
      return test.expected
    case 'compare':
      return test.orNull || isEmptyAll(test.quantifier, test.values)
    case 'like':
      return isEmptyAll(test.quantifier, test.patterns)
    case 'containsJson':
      return false
  }
}

/** What holds for all of none holds for null. */
const isEmptyAll = (quantifier: string, values: readonly unknown[]): boolean =>
  quantifier === 'all' && values.length === 0

const keysTo = (steps: readonly Step[]): readonly string[] =>
  steps.map((_step, at) => keyOf(steps.slice(0, at + 1)))

const keyOf = (steps: readonly Step[]): string => steps.map(({ name }) => name).join('.')

interface Join {
  readonly alias: string
  readonly tables: readonly string[]
  readonly on: readonly string[]
}

type Joins = Map<string, Join>

/** The alias of the row that the steps lead to, joining what is not joined yet. */
const aliasOf = (
  steps: readonly Step[],
  root: string,
  joins: Joins,
  rowsOf: RowsOf,
  build: Build,
): string => {
  let owner = root
  for (const [at, step] of steps.entries()) {
    const key = keyOf(steps.slice(0, at + 1))
    const join = joins.get(key) ?? joinOf(step, owner, `${root}_r${joins.size + 1}`, rowsOf, build)
    joins.set(key, join)
    owner = join.alias
  }
  return owner
}

const joinOf = (step: Step, owner: string, alias: string, rowsOf: RowsOf, build: Build): Join => {
  const link = linkOf(step.from, step.name, step.relationship, { owner, target: alias }, build)
  const table = `${identifier(step.to.table)} AS ${alias}`
  return {
    alias,
    tables: link.bridge === undefined ? [table] : [`${link.bridge.table} AS ${link.bridge.alias}`, table],
    on: [...link.conditions, ...rowsOf(step.to, alias, build)],
  }
}

const leftJoin = ({ tables, on }: Join): string =>
  `LEFT JOIN ${tables.length === 1 ? tables.join('') : `(${tables.join(' CROSS JOIN ')})`} ON ${on.join(' AND ')}`
