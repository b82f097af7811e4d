/** Renders the statements of a search or export: which records match, in their order, and their fields. */
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

/** The records behind the cursor, and before `untilMs`. */
const renderPosition = (plan: SearchPlan, params: Params): readonly string[] => {
  const { after, untilMs } = plan
  if (after === undefined) return []
  const { date, id, later, earlier } = sortColumns(plan)
  const isBeyond = `${id} ${later} ${params.add(after.id, 'String')}`
  if (after.sortedAtMs === null) return [`isNull(${date})`, isBeyond]
  const at = addInstant(after.sortedAtMs, params)
  const dated = `(${date} ${later} ${at} OR (${date} = ${at} AND ${isBeyond}))`
  if (untilMs === undefined) return [`(isNull(${date}) OR ${dated})`]
  // repeats the date on its own, because the engine cannot use an OR to skip granules
  return [`${date} ${later}= ${at}`, dated, `${date} ${earlier}= ${addInstant(untilMs, params)}`]
}

const whereOf = (plan: SearchPlan, params: Params): string =>
  [renderReach(plan.reach, params), ...renderPosition(plan, params)].join(' AND ')

/**
 * One record more than the page holds, which tells whether another page follows. The engine finds the records by the columns of
 * conditions and order, and reads the other columns for those few only (lazy materialization).
 */
export const renderPage = (plan: SearchPlan, params: Params): string => {
  const limit = params.add(plan.limit + 1, 'UInt32')
  const columns = columnsOf(plan).map(quoteName).join(', ')
  return `SELECT ${columns} FROM ${renderTable(plan.reach)} WHERE ${whereOf(plan, params)} ORDER BY ${renderOrder(plan.order)} LIMIT ${limit}`
}

/**
 * The first records that match, one more than the page holds, ordered by the first `keys` sort keys. The id comes from the column
 * `shown_id`, because FINAL reads the columns of the sorting key for every row.
 */
export const renderFirst = (plan: SearchPlan, keys: number, params: Params): string => {
  const id = plan.reach.table.key.at(-1)?.place.column
  const columns = columnsOf(plan).map((column) => quoteName(column === id ? SHOWN_ID : column))
  const where = renderReach(plan.reach, params)
  const limit = params.add(plan.limit + 1, 'UInt32')
  return `SELECT ${columns.join(', ')} FROM ${renderTable(plan.reach)} WHERE ${where} ORDER BY ${renderOrder(plan.order.slice(0, keys))} LIMIT ${limit}`
}

/** How many records match. */
export const renderCount = ({ reach }: SearchPlan, params: Params): string =>
  `SELECT count() AS total FROM ${renderTable(reach)} WHERE ${renderReach(reach, params)}`

/** The keys of all records of an export in their order, one more than it may have: columns key0, key1, … */
export const renderKeys = (plan: ExportPlan, params: Params): string => {
  const limit = params.add(plan.recordsMax + 1, 'UInt32')
  return `SELECT ${keyTexts(plan).join(', ')} FROM ${renderTable(plan.reach)} WHERE ${renderReach(plan.reach, params)} ORDER BY ${renderOrder(plan.order)} LIMIT ${limit}`
}

const listTypeOf = ({ type }: Attribute): ParamType =>
  type === 'datetime' ? "Array(DateTime64(3, 'UTC'))" : 'Array(String)'

/**
 * Records with these keys, as `keyTexts` returned them. Each part of the key is compared on its own, which costs a third less than
 * pairs: an id occurs once in an environment, and no other part of its key ever changes.
 */
const renderAmong = (plan: ExportPlan, keys: readonly (readonly string[])[], params: Params): string =>
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
