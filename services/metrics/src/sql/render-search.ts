/** A search or export plan → which records match, in their order, and the fields of some of them. */
import type { Attribute } from '../catalogue/attribute.ts'
import type { ExportPlan, SearchPlan } from '../plan/plan.ts'
import { renderEnvironment, renderReach, renderTable } from './render-reach.ts'
import { quoteName, toInstantText, type Params, type ParamType } from './statement.ts'

type Listing = SearchPlan | ExportPlan

const columnsOf = (plan: Listing): readonly string[] => [
  ...new Set(
    [...plan.fields, ...plan.order.map(({ attribute }) => attribute)].map(({ place }) => place.column),
  ),
]

const keyColumns = ({ reach }: Listing): readonly string[] =>
  reach.table.key.map(({ place }) => quoteName(place.column))

/** Each part of the key as text, named key0, key1, … */
const keyTexts = (plan: Listing): readonly string[] =>
  keyColumns(plan).map((column, index) => `toString(${column}) AS key${index}`)

/** The same value as the id, outside the sorting key (tables/orders.sql). */
export const SHOWN_ID = 'shown_id'

/** Records without the sort date come last in both directions, then the id decides. */
const renderOrder = (order: Listing['order']): string =>
  order
    .map(
      ({ attribute, direction }) =>
        `${quoteName(attribute.place.column)} ${direction.toUpperCase()} NULLS LAST`,
    )
    .join(', ')

/** Column of the sort date, and of the id. */
const sortColumns = ({ order }: SearchPlan) => {
  const [date, id] = order
  if (date === undefined || id === undefined) throw new Error('a search is ordered by a date, then by the id')
  const isAscending = date.direction === 'asc'
  return {
    date: quoteName(date.attribute.place.column),
    id: quoteName(id.attribute.place.column),
    /** Comes later in the order, or is the same. */
    later: isAscending ? '>' : '<',
    earlier: isAscending ? '<' : '>',
  }
}

const addInstant = (ms: number, params: Params): string =>
  params.add(toInstantText(new Date(ms)), "DateTime64(3, 'UTC')")

/** The records after the last one of the previous page. */
const renderAfter = (plan: SearchPlan, params: Params): readonly string[] => {
  const { after, window } = plan
  if (after === undefined || window?.beyondMs !== undefined) return []
  const { date, id, later } = sortColumns(plan)
  const isBeyond = `${id} ${later} ${params.add(after.id, 'String')}`
  if (after.sortedAtMs === null) return [`isNull(${date})`, isBeyond]
  const at = addInstant(after.sortedAtMs, params)
  const dated = `(${date} ${later} ${at} OR (${date} = ${at} AND ${isBeyond}))`
  // said twice, because the first form alone lets the engine pass over what cannot match
  return window?.untilMs === undefined
    ? [`(isNull(${date}) OR ${dated})`]
    : [`${date} ${later}= ${at}`, dated]
}

const renderWindow = (plan: SearchPlan, params: Params): readonly string[] => {
  const { beyondMs, untilMs } = plan.window ?? {}
  const { date, earlier, later } = sortColumns(plan)
  const until = untilMs === undefined ? [] : [`${date} ${earlier}= ${addInstant(untilMs, params)}`]
  if (beyondMs === undefined) return until
  const isBeyond = `${date} ${later} ${addInstant(beyondMs, params)}`
  return [untilMs === undefined ? `(isNull(${date}) OR ${isBeyond})` : isBeyond, ...until]
}

const whereOf = (plan: SearchPlan, params: Params): string =>
  [renderReach(plan.reach, params), ...renderAfter(plan, params), ...renderWindow(plan, params)].join(' AND ')

/**
 * One record more than the page holds, so that the last page is known as such. The engine itself finds the records by the
 * columns of conditions and order, and reads the others of those few alone (lazy materialization).
 */
export const renderPage = (plan: SearchPlan, params: Params): string => {
  const limit = params.add(plan.limit + 1, 'UInt32')
  const columns = columnsOf(plan).map(quoteName).join(', ')
  return `SELECT ${columns} FROM ${renderTable(plan.reach)} WHERE ${whereOf(plan, params)} ORDER BY ${renderOrder(plan.order)} LIMIT ${limit}`
}

/**
 * The first `limit` records that match, in the order of the first `keys` of its keys alone. The id is in the column `shown_id`: what is
 * in the sorting key FINAL reads of all rows.
 */
export const renderFirst = (
  plan: SearchPlan,
  { keys, limit }: { readonly keys: number; readonly limit: number },
  params: Params,
): string => {
  const id = plan.reach.table.key.at(-1)?.place.column
  const columns = columnsOf(plan).map((column) => quoteName(column === id ? SHOWN_ID : column))
  const { leftOut = [] } = plan
  const rest = leftOut.length === 0 ? '' : ` AND _partition_id NOT IN ${params.add(leftOut, 'Array(String)')}`
  const where = `${renderReach(plan.reach, params)}${rest}`
  return `SELECT ${columns.join(', ')} FROM ${renderTable(plan.reach)} WHERE ${where} ORDER BY ${renderOrder(plan.order.slice(0, keys))} LIMIT ${params.add(limit, 'UInt32')}`
}

/**
 * The first `limit` rows of any version that match: columns key0, key1, … and `at`, the sort date. Each record that
 * belongs before the last of them is among them, with the version that does.
 */
export const renderCandidates = (plan: SearchPlan, limit: number, params: Params): string => {
  const { date } = sortColumns(plan)
  const columns = [...keyTexts(plan), `${date} AS at`].join(', ')
  const where = whereOf(plan, params)
  return `SELECT ${columns} FROM ${quoteName(plan.reach.table.name)} WHERE ${where} ORDER BY ${renderOrder(plan.order)} LIMIT ${params.add(limit, 'UInt32')}`
}

/** The page, of the records with these keys alone: found by primary key, whatever versions lie beside them. */
export const renderPageOf = (
  plan: SearchPlan,
  keys: readonly (readonly string[])[],
  params: Params,
): string => {
  const limit = params.add(plan.limit + 1, 'UInt32')
  const columns = columnsOf(plan).map(quoteName).join(', ')
  const wanted = renderAmong(plan, keys, params)
  return `SELECT ${columns} FROM ${renderTable(plan.reach)} WHERE ${whereOf(plan, params)} AND ${wanted} ORDER BY ${renderOrder(plan.order)} LIMIT ${limit}`
}

/** How many records match, how many of them have a sort date, and the first and last of these in milliseconds. */
export const renderBounds = (plan: SearchPlan, params: Params): string => {
  const reach = renderReach(plan.reach, params)
  const { date } = sortColumns(plan)
  const instants = `toUnixTimestamp64Milli(min(${date})) AS earliest, toUnixTimestamp64Milli(max(${date})) AS latest`
  return `SELECT count() AS total, count(${date}) AS dated, ${instants} FROM ${renderTable(plan.reach)} WHERE ${reach}`
}

/**
 * Of each of these partitions that has any: how many records match at whatever date, and the places of the first `most` and of the last
 * of them in the sort, in milliseconds, negative in a descending one.
 */
export const renderCounts = (
  plan: SearchPlan,
  { partitions, most }: { readonly partitions: readonly string[]; readonly most: number },
  params: Params,
): string => {
  const { range: _dates, ...reach } = plan.reach
  const { date } = sortColumns(plan)
  const sign = plan.order[0]?.direction === 'asc' ? '' : '-'
  const place = `${sign}toUnixTimestamp64Milli(assumeNotNull(${date}))`
  const among = `isNotNull(${date}) AND _partition_id IN ${params.add(partitions, 'Array(String)')}`
  return `SELECT _partition_id AS id, count() AS total, groupArraySorted(${most})(${place}) AS first, max(${place}) AS last FROM ${renderTable(reach)} WHERE ${renderReach(reach, params)} AND ${among} GROUP BY _partition_id`
}

/** The keys of all records of an export in their order, one more than it may have: columns key0, key1, … */
export const renderKeys = (plan: ExportPlan, params: Params): string => {
  const limit = params.add(plan.recordsMax + 1, 'UInt32')
  return `SELECT ${keyTexts(plan).join(', ')} FROM ${renderTable(plan.reach)} WHERE ${renderReach(plan.reach, params)} ORDER BY ${renderOrder(plan.order)} LIMIT ${limit}`
}

const listTypeOf = ({ type }: Attribute): ParamType =>
  type === 'datetime' ? "Array(DateTime64(3, 'UTC'))" : 'Array(String)'

/**
 * The record is one of those with these keys, as `keyTexts` gave them. Each part of the key is compared by itself, which
 * costs a third less than pairs: an id occurs once in an environment, and no other part of its key ever changes.
 */
const renderAmong = (plan: Listing, keys: readonly (readonly string[])[], params: Params): string =>
  plan.reach.table.key
    .map((attribute, index) => {
      const texts = keys.map((key) => key[index] ?? '')
      return `${quoteName(attribute.place.column)} IN ${params.add(texts, listTypeOf(attribute))}`
    })
    .join(' AND ')

/** The fields of the records with these keys, found by primary key, in any order. */
export const renderRecords = (
  plan: ExportPlan,
  keys: readonly (readonly string[])[],
  params: Params,
): string => {
  const wanted = renderAmong(plan, keys, params)
  const columns = [...keyTexts(plan), ...columnsOf(plan).map(quoteName)].join(', ')
  return `SELECT ${columns} FROM ${renderTable(plan.reach)} WHERE ${renderEnvironment(plan.reach, params)} AND ${wanted}`
}
