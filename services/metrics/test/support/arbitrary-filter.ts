/** Valid filters made from the catalogue data, with values that occur in the records. */
import fc from 'fast-check'
import { rangeOperators } from '../../src/catalogue/attribute.ts'
import type { ResourceData } from '../../src/catalogue/load-catalogue.ts'
import type { Value, View } from './oracle-view.ts'
import { texts } from './text-queries.ts'

export type Body = Readonly<Record<string, unknown>>
type FilterData = ResourceData['filters'][string][string]

/** Values of an attribute anywhere in a record. */
const valuesAt = (view: unknown, keys: readonly string[]): readonly Value[] => {
  const [key, ...rest] = keys
  if (Array.isArray(view) && key !== undefined) return view.flatMap((item) => valuesAt(item, keys))
  if (key === undefined) return (Array.isArray(view) ? view : [view]) as readonly Value[]
  if (typeof view !== 'object' || view === null) return []
  return valuesAt((view as Record<string, unknown>)[key] ?? null, rest)
}

const plain = (value: Value): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null && 'fixed' in value)
    return Number(value.fixed) / 100_000_000
  return value
}

const VALUES_MAX = 40

/** Values that records have there, spread over all of them. */
const valuesOf = (views: readonly View[], path: string): readonly unknown[] => {
  const found = [...new Set(views.flatMap((view) => valuesAt(view, path.split('.'))).map(plain))]
  const present = found.filter((value) => value !== null)
  const step = Math.max(1, Math.floor(present.length / VALUES_MAX))
  return present.filter((_, index) => index % step === 0)
}

/** An instant as it is, or cut to its second as the documented format has it. */
const instantOf = (known: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(known, fc.boolean())
    .map(([text, isCut]) => (isCut ? String(text).replace(/\.\d+Z$/, 'Z') : String(text)))

const orderOf = (value: unknown): number => (typeof value === 'number' ? value : Date.parse(String(value)))

const { MAX_SAFE_INTEGER } = Number

/** What no record has, up to the ends of what a condition takes. */
const otherValuesOf: Readonly<Record<string, readonly [unknown, ...unknown[]]>> = {
  number: [-1, 0, 0.005, 10.3, 99_999_999_999_999, 100_000_000_000_000, MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER],
  integer: [-1, 0, 1, 60, MAX_SAFE_INTEGER, -MAX_SAFE_INTEGER],
  datetime: ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '2021-06-01T00:00:00Z', '9999-12-31T23:59:59Z'],
}

const rangeCondition = (item = 'number', values: readonly unknown[]): fc.Arbitrary<Body> => {
  const strange = fc.constantFrom(...(otherValuesOf[item] ?? []))
  const known = values.length > 0 ? fc.constantFrom(...values) : strange
  const value = fc.oneof(
    { weight: 4, arbitrary: item === 'datetime' ? instantOf(known) : known },
    { weight: 1, arbitrary: strange },
  )
  return fc.tuple(fc.constantFrom(...rangeOperators), value, value).map(([operator, a, b]) => ({
    [operator]: operator.includes('_') ? (orderOf(a) < orderOf(b) ? [a, b] : [b, a]) : a,
  }))
}

const listCondition = (key: FilterData, found: readonly unknown[]): fc.Arbitrary<Body> => {
  const known = found
    .map(String)
    .filter((text) => text.length >= (key.item_min_length ?? 0))
    .filter((text) => key.values === undefined || key.values.includes(text))
  const strange =
    key.item === 'integer' ? ['7', '-7'] : ['nothing here', ...(key.item_min_length ? [] : [''])]
  const pool = [...known, ...(key.values ?? strange)]
  const item = fc.tuple(fc.constantFrom(...pool), fc.boolean()).map(([text, asNumber]) => {
    if (key.item === 'integer') return Number(text)
    if (key.item === 'string or integer' && asNumber && /^\d+$/.test(text)) return Number(text)
    return key.match === 'prefix' ? text.slice(0, 8) : text
  })
  return fc
    .tuple(fc.constantFrom('in', 'not_in'), fc.array(item, { minLength: 1, maxLength: 3 }))
    .map(([operator, items]) => ({ [operator]: items }))
}

const conditionFor = (key: FilterData, views: readonly View[]): fc.Arbitrary<unknown> => {
  const values = valuesOf(views, key.attribute ?? '')
  switch (key.kind) {
    case 'boolean':
      return fc.boolean()
    case 'string':
      return fc.constantFrom('test', 'live')
    case 'query':
      return fc.constantFrom(...texts.keys()).map((query) => ({ query }))
    case 'range':
      return rangeCondition(key.item, values)
    default:
      return listCondition(key, values)
  }
}

const put = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [key = '', ...rest] = path
  if (rest.length === 0) target[key] = value
  else put((target[key] ??= {}) as Record<string, unknown>, rest, value)
}

interface KeyCondition {
  readonly path: readonly string[]
  readonly condition: unknown
}

/** Every filter key of a section with a condition on it; what is in a section of a section is written in both forms. */
const keyConditions = (
  data: ResourceData,
  views: readonly View[],
  section: string,
): readonly fc.Arbitrary<KeyCondition>[] =>
  Object.entries(data.filters[section] ?? {})
    .filter(([, key]) => key.attribute !== undefined)
    .map(([name, key]) =>
      fc.tuple(conditionFor(key, views), fc.boolean()).map(([condition, isDotted]) => ({
        path: [...(isDotted ? [section] : section.split('.')), name],
        condition,
      })),
    )

/** `date_field` and its bounds: all of the documents, or a part of them; seldom without, which is the range by default. */
const dateRange = (data: ResourceData, views: readonly View[]): fc.Arbitrary<Body | undefined> => {
  const ends = valuesOf(views, `${data.record}.created_at`).filter((text) => String(text) > '2021-04')
  const dates = data.filters[data.record]?.date_field?.values ?? []
  const date_field = fc.constantFrom(...dates)
  const stated = fc.record(
    {
      date_from: fc.constantFrom('2020-12-01T00:00:00Z', '2021-03-01T00:00:00Z'),
      date_to: fc.oneof(
        fc.constantFrom('2022-12-31T23:59:59Z', '2021-09-30T23:59:59Z'),
        instantOf(fc.constantFrom(...ends)),
      ),
      date_field,
    },
    { requiredKeys: ['date_from', 'date_to'] },
  )
  return fc.oneof(
    { weight: 18, arbitrary: stated },
    { weight: 1, arbitrary: fc.record({ date_field }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

/** A date range and none to three conditions, the many-valued ones as often as the others, or some of one entity. */
export const arbitraryFilter = (data: ResourceData, views: readonly View[]): fc.Arbitrary<Body> => {
  const sections = Object.keys(data.filters)
  const conditions = new Map(sections.map((section) => [section, keyConditions(data, views, section)]))
  const within = (entity: string) =>
    sections.flatMap((section) => (section.split('.')[0] === entity ? (conditions.get(section) ?? []) : []))
  const ofAll = fc.array(fc.oneof(...[...conditions.values()].flat()), { maxLength: 3 })
  const entities = sections.filter((section) => !section.includes('.'))
  const ofOne = fc
    .constantFrom(...entities)
    .chain((entity) => fc.array(fc.oneof(...within(entity)), { minLength: 2, maxLength: 4 }))
  const keys = fc.oneof({ weight: 2, arbitrary: ofAll }, { weight: 1, arbitrary: ofOne })
  return fc.tuple(dateRange(data, views), keys).map(([range, chosen]) => {
    const filter: Record<string, unknown> = range === undefined ? {} : { [data.record]: { ...range } }
    for (const { path, condition } of chosen) put(filter, path, condition)
    return filter
  })
}
