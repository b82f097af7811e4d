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
const shorten = (fieldTest: FieldTest, rowsOf: RowsOf, build: Build): FieldTest => {
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
  const joins = new Map<string, { readonly alias: string; readonly sql: string }>()
  const conditions = filters.map(({ tests, combinator }) => {
    const parts = tests.map((test) =>
      testField(test, aliasOf(test.path.steps, alias, joins, rowsOf, build), build.params),
    )
    return parts.length === 1 ? parts.join('') : `(${parts.join(combinator === 'or' ? ' OR ' : ' AND ')})`
  })
  if (joins.size === 0) return conditions.join(' AND ')
  const sources = [...joins.values()].map(({ sql }) => sql)
  return `EXISTS (SELECT 1 FROM (SELECT 1) AS one ${sources.join(' ')} WHERE ${conditions.join(' AND ')})`
}

type Joins = Map<string, { readonly alias: string; readonly sql: string }>

/** The alias of the row that the steps lead to, joining what is not joined yet. */
const aliasOf = (
  steps: readonly Step[],
  root: string,
  joins: Joins,
  rowsOf: RowsOf,
  build: Build,
): string => {
  let owner = root
  let key = ''
  for (const step of steps) {
    key = `${key}.${step.name}`
    const known = joins.get(key)
    if (known === undefined) {
      const alias = `${root}_r${joins.size + 1}`
      joins.set(key, { alias, sql: leftJoin(step, owner, alias, rowsOf, build) })
      owner = alias
    } else {
      owner = known.alias
    }
  }
  return owner
}

const leftJoin = (step: Step, owner: string, target: string, rowsOf: RowsOf, build: Build): string => {
  const link = linkOf(step.from, step.name, step.relationship, { owner, target }, build)
  const on = [...link.conditions, ...rowsOf(step.to, target, build)].join(' AND ')
  const table = `${identifier(step.to.table)} AS ${target}`
  if (link.bridge === undefined) return `LEFT JOIN ${table} ON ${on}`
  return `LEFT JOIN (${link.bridge.table} AS ${link.bridge.alias} CROSS JOIN ${table}) ON ${on}`
}
