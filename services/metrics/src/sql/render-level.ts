/** One level of an aggregate plan → a statement that gives its buckets with the labels of all outer levels. */
import type { Attribute, Interval } from '../catalogue/attribute.ts'
import type { AggregatePlan, Level } from '../plan/plan.ts'
import { positionsOf, renderExpansion, type ElementKey, type Expansion } from './render-elements.ts'
import { renderMeasure } from './render-measure.ts'
import { renderComparison } from './render-predicate.ts'
import { renderReach, renderTable } from './render-reach.ts'
import { quoteName, type Params } from './statement.ts'

/** Weeks start on Monday (ISO 8601). */
const starts: Readonly<Record<Interval, (date: string) => string>> = {
  hour: (date) => `toStartOfHour(${date})`,
  day: (date) => `toStartOfDay(${date})`,
  week: (date) => `toDateTime(toStartOfWeek(${date}, 1), 'UTC')`,
  month: (date) => `toDateTime(toStartOfMonth(${date}), 'UTC')`,
  year: (date) => `toDateTime(toStartOfYear(${date}), 'UTC')`,
}

/** A label is text; a date bucket its first second since 1970, which sorts as a number. */
const toKey = (level: Level, attribute: Attribute): ((ref: string) => string) => {
  const { interval } = level.key ?? {}
  if (interval !== undefined) return (ref) => `toUnixTimestamp(${starts[interval](ref)})`
  const isText = attribute.type === 'keyword' || attribute.type === 'array<string>'
  return (ref) => (isText ? ref : `toString(${ref})`)
}

interface PlacedKey extends ElementKey {
  readonly name: string
}

const keysOf = (levels: readonly Level[]): readonly PlacedKey[] =>
  levels.flatMap((level, index) => {
    if (level.key === undefined) return []
    const { attribute } = level.key
    return [{ attribute, toKey: toKey(level, attribute), name: `k${index}` }]
  })

const expansionsOf = (
  plan: AggregatePlan,
  keys: readonly PlacedKey[],
  field: Attribute,
): readonly Expansion[] => {
  const trees = new Set(
    [...keys.map(({ attribute }) => attribute), field].flatMap(({ place }) => place.tree ?? []),
  )
  return [...trees].map((tree) => ({
    tree,
    keys: keys.filter(({ attribute }) => attribute.place.tree === tree),
    ...(field.place.tree === tree ? { measure: field } : {}),
    predicates: plan.reach.predicates,
  }))
}

/** One row for each order, combination of keys, and measured value: `k0, k1, …, m`. */
const renderRows = (
  plan: AggregatePlan,
  keys: readonly PlacedKey[],
  field: Attribute,
  params: Params,
): string => {
  const expansions = expansionsOf(plan, keys, field)
  const own = keys.filter(({ attribute }) => attribute.place.tree === undefined)
  const columns = [
    ...own.map((key) => `${key.toKey(quoteName(key.attribute.place.column))} AS ${key.name}`),
    ...(field.place.tree === undefined ? [`${quoteName(field.place.column)} AS m`] : []),
    ...expansions.flatMap((expansion) => {
      const row = `t_${expansion.tree}`
      const positions = positionsOf(expansion)
      return [
        `arrayJoin(${renderExpansion(expansion, params)}) AS ${row}`,
        ...keys.flatMap((key) => {
          const at = positions.keys.get(key)
          return at === undefined ? [] : [`${row}.${at} AS ${key.name}`]
        }),
        ...(positions.measure === undefined ? [] : [`${row}.${positions.measure} AS m`]),
      ]
    }),
  ]
  const present = own.map(({ attribute }) => `isNotNull(${quoteName(attribute.place.column)})`)
  const conditions = [renderReach(plan.reach, params), ...present].join(' AND ')
  return `SELECT ${columns.join(', ')} FROM ${renderTable(plan.reach)} WHERE ${conditions}`
}

const renderHaving = ({ condition }: Level, order: string, params: Params): string => {
  if (condition === undefined) return ''
  const placeholders = condition.operands.map((operand) => params.add(operand, 'Decimal(38, 8)'))
  return ` HAVING ${renderComparison(condition.operator, order, placeholders)}`
}

/** Inner buckets are computed for the outer buckets that are shown only. */
const renderOuter = (
  plan: AggregatePlan,
  names: readonly string[],
  depth: number,
  params: Params,
): string => {
  const isCut = plan.levels
    .slice(0, depth)
    .some(({ limit, condition }) => limit !== undefined || condition !== undefined)
  if (!isCut) return ''
  const outer = names.slice(0, depth).join(', ')
  return ` WHERE (${outer}) IN (SELECT ${outer} FROM (${renderLevel(plan, depth - 1, params)}))`
}

const renderTail = (
  level: Level,
  names: readonly string[],
  outer: readonly string[],
  order: string,
): string => {
  const own = names.at(-1)
  if (own === undefined) return ''
  const terms = level.order.map(({ by, direction }) =>
    by === 'key' ? `${own} ${direction.toUpperCase()}` : `${order} ${direction.toUpperCase()} NULLS LAST`,
  )
  const sorted = ` ORDER BY ${[...outer, ...terms].join(', ')}`
  if (level.limit === undefined) return sorted
  return `${sorted} LIMIT ${level.limit}${outer.length === 0 ? '' : ` BY ${outer.join(', ')}`}`
}

/** The buckets of `plan.levels[depth]`: columns k0 … k<depth> and those of its measure. */
export const renderLevel = (plan: AggregatePlan, depth: number, params: Params): string => {
  const level = plan.levels[depth]
  if (level === undefined) throw new Error(`the plan has no level ${depth}`)
  const keys = keysOf(plan.levels.slice(0, depth + 1))
  const names = keys.map(({ name }) => name)
  const measure = renderMeasure(level.measure)
  const columns = [...names, ...Object.entries(measure.columns).map(([name, sql]) => `${sql} AS ${name}`)]
  const rows = renderRows(plan, keys, level.measure.field, params)
  const outer = renderOuter(plan, names, depth, params)
  const grouping = names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`
  const having = renderHaving(level, measure.order, params)
  const tail = renderTail(level, names, names.slice(0, -1), measure.order)
  return `SELECT ${columns.join(', ')} FROM (${rows})${outer}${grouping}${having}${tail}`
}
