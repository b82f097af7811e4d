/** A search plan → the page of records and the count of all that match. */
import type { SearchPlan } from '../plan/plan.ts'
import { renderEnvironment, renderReach, renderTable } from './render-reach.ts'
import { quoteName, toInstantText, type Params } from './statement.ts'

const columnsOf = (plan: SearchPlan): readonly string[] => [
  ...new Set(
    [...plan.fields, ...plan.order.map(({ attribute }) => attribute)].map(({ place }) => place.column),
  ),
]

/** Records without the sort date come last in both directions, then the id decides. */
const renderOrder = ({ order }: SearchPlan): string =>
  order
    .map(
      ({ attribute, direction }) =>
        `${quoteName(attribute.place.column)} ${direction.toUpperCase()} NULLS LAST`,
    )
    .join(', ')

/** The records after the last one of the previous page, in the order above. */
const renderAfter = ({ order, after }: SearchPlan, params: Params): string => {
  const [date, id] = order
  if (after === undefined) return ''
  if (date === undefined || id === undefined) throw new Error('a search is ordered by a date, then by the id')
  const sign = date.direction === 'asc' ? '>' : '<'
  const [dateColumn, idColumn] = [
    quoteName(date.attribute.place.column),
    quoteName(id.attribute.place.column),
  ]
  const isBeyond = `${idColumn} ${sign} ${params.add(after.id, 'String')}`
  if (after.sortedAtMs === null) return ` AND isNull(${dateColumn}) AND ${isBeyond}`
  const at = params.add(toInstantText(new Date(after.sortedAtMs)), "DateTime64(3, 'UTC')")
  return ` AND (isNull(${dateColumn}) OR ${dateColumn} ${sign} ${at} OR (${dateColumn} = ${at} AND ${isBeyond}))`
}

/**
 * One record more than the page holds, so that the last page is known as such. The page is found by its narrow columns;
 * only its records are then read whole, by primary key.
 */
export const renderPage = (plan: SearchPlan, params: Params): string => {
  const order = renderOrder(plan)
  const limit = params.add(plan.limit + 1, 'UInt32')
  const table = renderTable(plan.reach)
  const key = plan.reach.table.key.map(quoteName).join(', ')
  const found = `SELECT ${key} FROM ${table} WHERE ${renderReach(plan.reach, params)}${renderAfter(plan, params)} ORDER BY ${order} LIMIT ${limit}`
  const columns = columnsOf(plan).map(quoteName).join(', ')
  const environment = renderEnvironment(plan.reach, params)
  return `SELECT ${columns} FROM ${table} WHERE ${environment} AND (${key}) IN (${found}) ORDER BY ${order} LIMIT ${limit}`
}

export const renderTotal = (plan: SearchPlan, params: Params): string =>
  `SELECT count() AS total FROM ${renderTable(plan.reach)} WHERE ${renderReach(plan.reach, params)}`
