/** One level of an aggregate plan → a statement that gives its buckets with the labels of all outer levels. */
import type { Attribute, Interval } from '../catalogue/attribute.ts'
import type { AggregatePlan, Level } from '../plan/plan.ts'
import {
  isFlat,
  positionsOf,
  renderElementRows,
  renderExpansion,
  type ElementKey,
  type Expansion,
} from './render-elements.ts'
import { renderMeasure } from './render-measure.ts'
import { renderComparison } from './render-predicate.ts'
import { renderReach, renderTable } from './render-reach.ts'
import { quoteName, type Params } from './statement.ts'

/** 1 January of year 1, a Monday: no date is before it, so a division rounds down. */
const FIRST_MS = 62_135_596_800_000
const [DAY_S, WEEK_S, HOUR_S] = [86_400, 604_800, 3_600]

/**
 * The first second since 1970 of the interval that a date is in, for dates of the years 1 to 9999, as numbers: the engine's
 * toStartOfHour and its like give 32-bit times and 16-bit dates, which end in 2106 and 2149 and go on with 1970. Weeks start
 * on Monday (ISO 8601).
 */
const starts: Readonly<Record<Interval, (date: string) => string>> = {
  hour: (date) => startOfEach(date, HOUR_S),
  day: (date) => startOfEach(date, DAY_S),
  week: (date) => startOfEach(date, WEEK_S),
  month: (date) => startOfEach(date, DAY_S, `toDayOfMonth(${date})`),
  year: (date) => startOfEach(date, DAY_S, `toDayOfYear(${date})`),
}

/** `ordinal`: which day of its month or year the date is, from 1. */
const startOfEach = (date: string, seconds: number, ordinal?: string): string => {
  const number = `intDiv(toUnixTimestamp64Milli(${date}) + ${FIRST_MS}, ${seconds * 1_000})`
  const first = ordinal === undefined ? number : `(${number} - ${ordinal} + 1)`
  return `${first} * ${seconds} - ${FIRST_MS / 1_000}`
}

/** A label is text; a date bucket its first second since 1970, which sorts as a number. */
const toKey = (level: Level, attribute: Attribute): ((ref: string) => string) => {
  const { interval } = level.key ?? {}
  if (interval !== undefined) return starts[interval]
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

/**
 * The same rows when one list has a key and the measure, and nothing of a list inside it is asked for: its columns are
 * unfolded side by side, and elements are chosen like rows.
 */
const renderUnfolded = (
  { reach }: AggregatePlan,
  keys: readonly PlacedKey[],
  expansion: Expansion,
  params: Params,
): string => {
  const own = keys.filter(({ attribute }) => attribute.place.tree === undefined)
  const kept = own.map((key) => `${key.toKey(quoteName(key.attribute.place.column))} AS ${key.name}`)
  const present = own.map(({ attribute }) => `isNotNull(${quoteName(attribute.place.column)})`)
  const unfolded = renderElementRows(expansion, params)
  const lists = unfolded.columns.map((column, index) => `${column} AS a${index}`)
  const records = [renderReach(reach, params, expansion.tree), ...present].join(' AND ')
  const names = unfolded.names.map((name, index) => `a${index} AS ${name}`)
  const columns = [
    ...own.map(({ name }) => name),
    ...expansion.keys.map((key, index) => `${unfolded.keys[index] ?? ''} AS ${(key as PlacedKey).name}`),
    `${unfolded.measure} AS m`,
  ]
  const where = unfolded.conditions.length === 0 ? '' : ` WHERE ${unfolded.conditions.join(' AND ')}`
  return (
    `SELECT ${columns.join(', ')} FROM (SELECT ${[...kept, ...lists].join(', ')} FROM ${renderTable(reach)} WHERE ${records}) ` +
    `ARRAY JOIN ${names.join(', ')}${where}`
  )
}

/** One row for each order, combination of keys, and measured value: `k0, k1, …, m`. */
const renderRows = (
  plan: AggregatePlan,
  keys: readonly PlacedKey[],
  field: Attribute,
  params: Params,
): string => {
  const expansions = expansionsOf(plan, keys, field)
  const [first] = expansions
  if (expansions.length === 1 && first !== undefined && isFlat(first)) {
    return renderUnfolded(plan, keys, first, params)
  }
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

/** Labels of the buckets of a level that are shown, those of its outer levels first. */
export type OuterKeys = readonly (readonly string[])[]

/**
 * More labels, or bytes of them, would make the statement longer than the engine reads, which is 256 KiB, and 128 KiB of one value
 * over the network, where a byte may take three; it then finds them again itself.
 */
const [OUTER_MAX, OUTER_BYTES_MAX] = [1_000, 40_000]

const isShort = (outer: OuterKeys): boolean =>
  outer.length <= OUTER_MAX &&
  outer.reduce((bytes, labels) => bytes + Buffer.byteLength(labels.join('')), 0) <= OUTER_BYTES_MAX

const renderKnownOuter = (names: readonly string[], outer: OuterKeys, params: Params): string => {
  const lists = names.map((_, index) =>
    params.add(
      outer.map((labels) => labels[index] ?? ''),
      'Array(String)',
    ),
  )
  const [name = '', ...others] = names
  if (others.length === 0) return ` WHERE ${name} IN ${lists[0] ?? ''}`
  const tuple = `tuple(${names.map((one) => `toString(${one})`).join(', ')})`
  return ` WHERE has(arrayZip(${lists.join(', ')}), ${tuple})`
}

/** Whether a level shows fewer buckets than there are. */
const isCut = ({ limit, condition }: Level): boolean => limit !== undefined || condition !== undefined

/** Inner buckets are computed for the outer buckets that are shown only. */
const renderOuter = (
  plan: AggregatePlan,
  names: readonly string[],
  params: Params,
  outer: OuterKeys | undefined,
): string => {
  const depth = names.length
  if (!plan.levels.slice(0, depth).some(isCut)) return ''
  if (outer !== undefined && isShort(outer)) return renderKnownOuter(names, outer, params)
  const columns = names.join(', ')
  return ` WHERE (${columns}) IN (SELECT ${columns} FROM (${renderLevel(plan, depth - 1, params)}))`
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

/** What of a measure is known without looking at values. */
const factsOf = ({ reach }: AggregatePlan, field: Attribute) => ({
  isNeverMissing: reach.table.key.some(({ place }) => place.column === field.place.column),
  isUnique: reach.table.key.at(-1)?.place.column === field.place.column,
})

export interface LevelOptions {
  /** Labels of the outer buckets that are shown, as far as they are known. */
  readonly outer?: OuterKeys | undefined
  /** A bucket has more values than percentiles are quick for (`countsMany`). */
  readonly hasMany?: boolean
}

/** The buckets of `plan.levels[depth]`: columns k0 … k<depth> and those of its measure. */
export const renderLevel = (
  plan: AggregatePlan,
  depth: number,
  params: Params,
  { outer: outerKeys, hasMany = false }: LevelOptions = {},
): string => {
  const level = plan.levels[depth]
  if (level === undefined) throw new Error(`the plan has no level ${depth}`)
  const keys = keysOf(plan.levels.slice(0, depth + 1))
  const names = keys.map(({ name }) => name)
  const measure = renderMeasure(level.measure, { ...factsOf(plan, level.measure.field), hasMany })
  const columns = [...names, ...Object.entries(measure.columns).map(([name, sql]) => `${sql} AS ${name}`)]
  const rows = renderRows(plan, keys, level.measure.field, params)
  const outer = renderOuter(plan, names.slice(0, depth), params, outerKeys)
  const grouping = names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`
  const having = renderHaving(level, measure.order, params)
  const tail = renderTail(level, names, names.slice(0, -1), measure.order)
  return `SELECT ${columns.join(', ')} FROM (${rows})${outer}${grouping}${having}${tail}`
}
