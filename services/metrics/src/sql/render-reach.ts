/** Which records a query reads: environment, markets, store, population, dates and filters → FROM and WHERE. */
import type { Reach } from '../plan/plan.ts'
import { nameEnvironment, namePopulation } from './environment.ts'
import { renderTreeCondition } from './render-elements.ts'
import { renderPredicate } from './render-predicate.ts'
import { quoteName, toInstantText, type Params } from './statement.ts'

/** The newest version of each record of the table. */
export const renderTable = ({ table }: Reach): string => `${quoteName(table.name)} FINAL`

/** The second of the two places that guard the tenant: a plan that no pass has scoped is never rendered. */
const requireEnvironment = (reach: Reach): NonNullable<Reach['environment']> => {
  const { environment } = reach
  if (environment === undefined || environment.organizationId === '' || environment.mode === '') {
    throw new Error('a plan without the environment predicate is never rendered')
  }
  return environment
}

export const renderEnvironment = (reach: Reach, params: Params): string =>
  `environment = ${params.add(nameEnvironment(requireEnvironment(reach)), 'String')}`

/**
 * First and last of the conditions. Those of some statuses are compared by one column that tells the environment as well; the
 * hint has the engine look only where the environment is, and compares nothing.
 */
const renderPopulation = (reach: Reach, params: Params): readonly [first: string, ...last: string[]] => {
  const inEnvironment = renderEnvironment(reach, params)
  const { statuses } = reach
  if (statuses === undefined) return [inEnvironment]
  const populations = statuses.map((status) => namePopulation(requireEnvironment(reach), status))
  return [`indexHint(${inEnvironment})`, `population IN ${params.add(populations, 'Array(String)')}`]
}

const renderRange = ({ range }: Reach, params: Params): readonly string[] => {
  if (range === undefined) return []
  const column = quoteName(range.attribute.place.column)
  const [from, to] = [range.from, range.to].map((at) => params.add(toInstantText(at), "DateTime64(3, 'UTC')"))
  return [`${column} >= ${from ?? ''}`, `${column} <= ${to ?? ''}`]
}

const renderFilters = ({ predicates }: Reach, params: Params, except?: string): readonly string[] => {
  const own = predicates
    .filter(({ attribute }) => attribute.place.tree === undefined)
    .map((predicate) => renderPredicate(predicate, quoteName(predicate.attribute.place.column), params))
  const trees = new Set(predicates.flatMap(({ attribute }) => attribute.place.tree ?? []))
  if (except !== undefined) trees.delete(except)
  return [...own, ...[...trees].map((tree) => renderTreeCondition(tree, predicates, params))]
}

/**
 * All conditions, without the word WHERE; those on the elements of `except` are left to the caller. What the request
 * filters by comes before dates and statuses, which most records pass: the engine looks at those of the rest alone.
 */
export const renderReach = (reach: Reach, params: Params, except?: string): string => {
  const [first, ...last] = renderPopulation(reach, params)
  return [
    first,
    ...(reach.marketIds === undefined
      ? []
      : [`market_id IN ${params.add(reach.marketIds, 'Array(String)')}`]),
    ...(reach.storeId === undefined ? [] : [`store_id = ${params.add(reach.storeId, 'String')}`]),
    ...renderFilters(reach, params, except),
    ...renderRange(reach, params),
    ...last,
  ].join(' AND ')
}
