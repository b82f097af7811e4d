/**
 * A naive evaluator of valid requests over order documents in memory: what the SQL must agree with. It walks every
 * combination of elements and keeps each measured thing once a bucket, so it shares no idea with the renderer.
 */
import {
  at,
  checksOf,
  compare,
  isFixed,
  placeOf,
  rangeCheck,
  type Check,
  type Json,
  type OracleInput,
  type Place,
} from './oracle-checks.ts'
import { measure, type LevelInput } from './oracle-measure.ts'
import { linesOf, recordOf } from './oracle-record.ts'
import { toFixed, type Value, type View } from './oracle-view.ts'

const listOf = (view: View, key: string): readonly View[] =>
  Array.isArray(view[key]) ? (view[key] as readonly View[]) : []

/** Elements of a tree that satisfy every check on it, each with the inner elements that do. */
const selected = (
  view: View,
  tree: string,
  checks: readonly Check[],
): readonly {
  index: number
  element: View
  inner: (list: string) => readonly { index: number; element: View }[]
}[] => {
  const own = checks.filter(({ place }) => place.tree === tree)
  const innerOf = (element: View, list: string) =>
    listOf(element, list)
      .map((inner, index) => ({ index, element: inner }))
      .filter((inner) =>
        own
          .filter(({ place }) => place.list === list)
          .every(({ place, holds }) => holds(at(inner.element, place.rest))),
      )
  return listOf(view, tree)
    .map((element, index) => ({ index, element, inner: (list: string) => innerOf(element, list) }))
    .filter(({ element, inner }) => {
      const direct = own.filter(({ place }) => place.list === undefined)
      const lists = new Set(own.flatMap(({ place }) => place.list ?? []))
      return (
        direct.every(({ place, holds }) => holds(at(element, place.rest))) &&
        [...lists].every((list) => inner(list).length > 0)
      )
    })
}

/** A choice of one element in each list that a level needs. */
type Choice = ReadonlyMap<string, { readonly id: string; readonly element: View }>

const nameOf = ({ tree, list }: Place): string =>
  list === undefined ? (tree ?? '') : `${tree ?? ''}.${list}`

/** `optional`: lists that only the measure needs; an order without elements there still counts. */
const choicesOf = (
  view: View,
  places: readonly Place[],
  optional: ReadonlySet<string>,
  checks: readonly Check[],
): readonly Choice[] => {
  let choices: readonly Choice[] = [new Map()]
  for (const tree of new Set(places.flatMap(({ tree }) => tree ?? []))) {
    const lists = [
      ...new Set(places.filter((place) => place.tree === tree).flatMap(({ list }) => list ?? [])),
    ]
    const treeIsOptional = !places.some((place) => place.tree === tree && !optional.has(nameOf(place)))
    const found = selected(view, tree, checks).flatMap(({ index, element, inner }) => {
      let some: readonly Choice[] = [new Map([[tree, { id: String(index), element }]])]
      for (const list of lists) {
        const name = `${tree}.${list}`
        some = some.flatMap((choice): readonly Choice[] => {
          const next = inner(list).map(
            (item) => new Map([...choice, [name, { id: `${index}.${item.index}`, element: item.element }]]),
          )
          return next.length === 0 && optional.has(name) ? [choice] : next
        })
      }
      return some
    })
    choices = choices.flatMap((choice): readonly Choice[] =>
      found.length === 0 && treeIsOptional ? [choice] : found.map((more) => new Map([...choice, ...more])),
    )
  }
  return choices
}

const valueAt = (view: View, place: Place, choice: Choice): Value => {
  if (place.tree === undefined) return at(view, place.rest)
  const chosen = choice.get(nameOf(place))
  return chosen === undefined ? null : at(chosen.element, place.rest)
}

const startOf = (date: Date, interval: string): Date => {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (interval === 'year') return new Date(Date.UTC(year, 0, 1))
  if (interval === 'month') return new Date(Date.UTC(year, month, 1))
  if (interval === 'day') return new Date(Date.UTC(year, month, day))
  if (interval === 'hour') return new Date(Date.UTC(year, month, day, date.getUTCHours()))
  return new Date(Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)))
}

const labelsOf = (value: Value, interval: string | undefined): readonly string[] => {
  if (value === null) return []
  if (value instanceof Date) return [startOf(value, interval ?? 'month').toISOString()]
  if (isFixed(value)) return [String(value.fixed / 100_000_000n)]
  if (Array.isArray(value)) return [...new Set(value as readonly string[])]
  return [String(value)]
}

const product = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])),
    [[]],
  )

/** Bucket → the measured things in it, each once. */
const collect = (views: readonly View[], levels: readonly LevelInput[], checks: readonly Check[]) => {
  const buckets = new Map<string, Map<string, Value>>()
  const own = levels.at(-1)
  if (own === undefined) throw new Error('no level')
  const field = placeOf(own.field)
  const keys = levels.flatMap(({ by, interval }) =>
    by === undefined ? [] : [{ place: placeOf(by), interval }],
  )
  const keyNames = new Set(keys.map(({ place }) => nameOf(place)))
  const optional = new Set(keyNames.has(nameOf(field)) ? [] : [nameOf(field)])
  for (const [number, view] of views.entries()) {
    const places = [...keys.map(({ place }) => place), field]
    for (const choice of choicesOf(view, places, optional, checks)) {
      const labels = keys.map(({ place, interval }) => labelsOf(valueAt(view, place, choice), interval))
      const unit = `${number}/${field.tree === undefined ? '' : (choice.get(nameOf(field))?.id ?? 'none')}`
      for (const key of product(labels)) {
        const name = JSON.stringify(key)
        const bucket = buckets.get(name) ?? new Map<string, Value>()
        buckets.set(name, bucket)
        bucket.set(unit, valueAt(view, field, choice))
      }
    }
  }
  return buckets
}

const textOf = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)

const holdsCondition = (order: number | null, condition: Json | undefined): boolean => {
  if (condition === undefined) return true
  const [[operator = '', operand] = []] = Object.entries(condition)
  return order !== null && rangeCheck(operator, operand)(toFixed(String(order)))
}

const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))

/** The list of buckets inside `outer`, nested as the answer is. */
const bucketsOf = (
  views: readonly View[],
  outer: readonly LevelInput[],
  labels: readonly string[],
  query: Json | undefined,
  checks: readonly Check[],
): Json => {
  if (query === undefined) return {}
  const level: LevelInput = {
    by: String(query.by),
    field: String(query.field),
    operator: String(query.operator),
  }
  const levels = [...outer, level]
  const found = [...collect(views, levels, checks)]
    .map(([name, units]) => ({ key: JSON.parse(name) as readonly string[], ...measure(units, level) }))
    .filter(({ key }) => labels.every((label, index) => key[index] === label))
    .filter(({ order }) => holdsCondition(order, query.condition as Json | undefined))
    .map(({ key, ...bucket }) => ({ label: key.at(-1) ?? '', ...bucket }))
  const sign = query.sort === 'asc' ? 1 : -1
  found.sort((a, b) => {
    if (a.order === b.order) return byBytes(a.label, b.label)
    if (a.order === null || b.order === null) return a.order === null ? 1 : -1
    return (a.order - b.order) * sign
  })
  const limit = typeof query.limit === 'number' ? query.limit : 10
  return {
    [String(query.by)]: found.slice(0, limit).map(({ label, value }) => ({
      label,
      value,
      ...bucketsOf(views, levels, [...labels, label], query.breakdown as Json | undefined, checks),
    })),
  }
}

const DAY_MS = 86_400_000

/** Without a range in the filter: 30 days before today, to the end of today. */
const rangeOf = ({ record, now }: OracleInput, filter: Json): readonly unknown[] => {
  const { date_from, date_to } = (filter[record] ?? {}) as Json
  if (date_from !== undefined) return [date_from, date_to]
  const today = startOf(now, 'day').getTime()
  return [today - 30 * DAY_MS, today + DAY_MS - 1].map((ms) => new Date(ms).toISOString())
}

/** Of an order; of a return that of its order. */
const storeOf = (view: View): Value => at(view, ['order', 'store_id']) ?? at(view, ['store_of_order'])

/** Records of the caller, in the date range and with every filter satisfied. */
const matching = (input: OracleInput, filter: Json): { views: readonly View[]; checks: readonly Check[] } => {
  const { organizationId, mode, marketIds, storeId } = input.scope
  const { record, population } = input
  const { date_field: dateField } = (filter[record] ?? {}) as Json
  const isInRange = rangeCheck('gte_lte', rangeOf(input, filter))
  const checks = Object.entries(filter).flatMap(([section, conditions]) =>
    checksOf(input, section, conditions as Json),
  )
  const views = input.views
    .filter((view) => at(view, ['organization', 'id']) === organizationId)
    .filter((view) => at(view, [record, 'mode']) === mode)
    .filter((view) => population?.includes(textOf(at(view, [record, 'status']))) ?? true)
    .filter((view) => marketIds?.includes(textOf(at(view, ['market', 'id']))) ?? true)
    .filter((view) => storeId === undefined || storeOf(view) === storeId)
    .filter((view) => isInRange(at(view, [record, textOf(dateField, 'current_date')])))
    .filter((view) =>
      checks.every(({ place, holds }) => place.tree !== undefined || holds(at(view, place.rest))),
    )
    .filter((view) =>
      [...new Set(checks.flatMap(({ place }) => place.tree ?? []))].every(
        (tree) => selected(view, tree, checks).length > 0,
      ),
    )
  return { views, checks }
}

const datesOf = (views: readonly View[], query: Json, checks: readonly Check[]): readonly Json[] => {
  const level: LevelInput = {
    by: String(query.by),
    interval: textOf(query.interval, 'month'),
    field: String(query.field),
    operator: String(query.operator),
  }
  return [...collect(views, [level], checks)]
    .map(([name, units]) => ({
      date: (JSON.parse(name) as readonly string[])[0] ?? '',
      ...measure(units, level),
    }))
    .sort((a, b) => byBytes(a.date, b.date))
    .map(({ date, value }) => ({
      date,
      value,
      ...bucketsOf(views, [level], [date], query.breakdown as Json | undefined, checks),
    }))
}

/** All records in the order of the search. */
const inOrder = (views: readonly View[], query: Json, record: string): readonly View[] => {
  const path = [record, textOf(query.sort_by, 'x.current_date').split('.')[1] ?? '']
  const sign = query.sort === 'asc' ? 1 : -1
  return views
    .map((view) => ({ view, id: textOf(at(view, [record, 'id'])), date: at(view, path) }))
    .sort((a, b) => {
      if (a.date === null || b.date === null) {
        if (a.date === b.date) return byBytes(a.id, b.id) * sign
        return a.date === null ? 1 : -1
      }
      return (compare(a.date, b.date) || byBytes(a.id, b.id)) * sign
    })
    .map(({ view }) => view)
}

/** `data` of the answer; for a search all matching records, for an export its cells. */
export const evaluate = (kind: string, body: Json, input: OracleInput): unknown => {
  const query = body[kind === 'export' ? 'search' : kind] as Json
  const { views, checks } = matching(input, (body.filter ?? {}) as Json)
  if (kind === 'breakdown') return bucketsOf(views, [], [], query, checks)
  if (kind === 'date_breakdown') return datesOf(views, query, checks)
  const fields = query.fields as readonly string[]
  if (kind === 'search')
    return inOrder(views, query, input.record).map((view) => recordOf(view, input, fields))
  if (kind === 'export') return linesOf(inOrder(views, query, input.record), input, fields)
  const level: LevelInput = { field: String(query.field), operator: String(query.operator) }
  return { value: measure(collect(views, [level], checks).get('[]'), level).value }
}
