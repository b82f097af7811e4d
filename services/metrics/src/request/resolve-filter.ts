/** The raw `filter` → a date range and predicates, or every violation in it (422). */
import type { Attribute, FilterKey, Resource } from '../catalogue/attribute.ts'
import { instantRule, parseInstant, parseLastInstant } from './instants.ts'
import { isObject, type JsonObject } from './json-object.ts'
import { limits } from './limits.ts'
import type { DateRange, Filter, Predicate } from './query.ts'
import { readList, readOperator, readRange } from './resolve-condition.ts'
import { parseTextQuery } from './text-query.ts'
import { allowed, type Violation } from './violations.ts'

/** Adds to `violations` or `predicates`; the only mutable state of one filter. */
interface Findings {
  readonly violations: Violation[]
  readonly predicates: Predicate[]
  readonly dates: Map<string, unknown>
}

type Path = readonly string[]

const toPredicate = (key: FilterKey, value: unknown): Predicate | string => {
  switch (key.kind) {
    case 'boolean':
      if (typeof value !== 'boolean') return 'not valid, must be true or false'
      return { op: 'is', attribute: key.attribute, value }
    case 'string':
      if (typeof value !== 'string' || !key.values.includes(value)) return allowed(key.values)
      return { op: 'in', attribute: key.attribute, match: 'equal', values: [value] }
    case 'list': {
      const read = readList(value, key)
      if (!read.ok) return read.message
      const { operator: op, values } = read.value
      return { op, attribute: key.attribute, match: key.match, values }
    }
    case 'range': {
      const read = readRange(value, key.item)
      if (!read.ok) return read.message
      return { op: read.value.operator, attribute: key.attribute, operands: read.value.operands }
    }
    case 'query':
      return toTextPredicate(key.attribute, value)
    case 'date_bound':
    case 'date_field':
    case 'section':
      throw new Error(`a filter key of kind ${key.kind} is no predicate`)
  }
}

const toTextPredicate = (attribute: Attribute, value: unknown): Predicate | string => {
  const read = readOperator(value, ['query'] as const)
  if (!read.ok) return read.message
  const { operand } = read.value
  if (typeof operand !== 'string') return 'not valid, query must be a string'
  const parsed = parseTextQuery(operand)
  return parsed.ok ? { op: 'query', attribute, expression: parsed.expression } : parsed.message
}

const resolveSection = (
  filters: Resource['filters'],
  name: string,
  value: unknown,
  path: Path,
  found: Findings,
): void => {
  const keys = filters.get(name)
  if (keys === undefined) {
    found.violations.push({ path, message: 'not valid' })
    return
  }
  if (value === null || (isObject(value) && Object.keys(value).length === 0)) {
    found.violations.push({ path, message: "can't be blank if defined" })
    return
  }
  if (!isObject(value)) {
    found.violations.push({ path, message: 'must be an object' })
    return
  }
  for (const [name_, operand] of Object.entries(value)) {
    resolveKey(filters, keys.get(name_), operand, [...path, name_], found)
  }
}

const resolveKey = (
  filters: Resource['filters'],
  key: FilterKey | undefined,
  value: unknown,
  path: Path,
  found: Findings,
): void => {
  if (key === undefined) {
    found.violations.push({ path, message: 'not valid' })
  } else if (key.kind === 'section') {
    resolveSection(filters, key.section, value, path, found)
  } else if (key.kind === 'date_bound' || key.kind === 'date_field') {
    found.dates.set(path.at(-1) ?? '', value)
  } else {
    const predicate = toPredicate(key, value)
    if (typeof predicate === 'string') found.violations.push({ path, message: predicate })
    else found.predicates.push(predicate)
  }
}

const DAY_MS = 86_400_000

/** From 30 days before today at 00:00 to the end of today, UTC (metrics.md 3.3). */
const defaultBounds = (now: Date): { readonly from: Date; readonly to: Date } => {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  return { from: new Date(today - limits.defaultRangeDays * DAY_MS), to: new Date(today + DAY_MS - 1) }
}

const resolveBounds = (found: Findings, section: string, now: Date): { from: Date; to: Date } => {
  const { dates, violations } = found
  const bounds = { from: parseInstant(dates.get('date_from')), to: parseInstant(dates.get('date_to')) }
  for (const [bound, other] of [
    ['date_from', 'date_to'],
    ['date_to', 'date_from'],
  ] as const) {
    if (!dates.has(bound)) continue
    const instant = bound === 'date_from' ? bounds.from : bounds.to
    if (instant === undefined)
      violations.push({ path: [section, bound], message: `not valid, ${instantRule}` })
    if (!dates.has(other)) violations.push({ path: [section, other], message: `is required with ${bound}` })
  }
  const { from, to } = bounds
  if (from === undefined || to === undefined) return defaultBounds(now)
  if (from >= to)
    violations.push({ path: [section, 'date_from'], message: 'not valid, must be before date_to' })
  return { from, to: parseLastInstant(dates.get('date_to')) ?? to }
}

const resolveDateField = (resource: Resource, section: string, found: Findings): Attribute => {
  const key = resource.filters.get(resource.record)?.get('date_field')
  if (key?.kind !== 'date_field') throw new Error(`${resource.name} has no date_field in its catalogue`)
  const given = found.dates.has('date_field') ? found.dates.get('date_field') : key.default
  const isKnown = typeof given === 'string' && key.values.includes(given)
  if (!isKnown) found.violations.push({ path: [section, 'date_field'], message: allowed(key.values) })
  const attribute = resource.attributes.get(`${resource.record}.${isKnown ? given : key.default}`)
  if (attribute === undefined) throw new Error(`${resource.name} has a date_field that is no attribute`)
  return attribute
}

/** Every section of a filter, against the keys it may have. */
export const resolveSections = (filters: Resource['filters'], raw: JsonObject): Findings => {
  const found: Findings = { violations: [], predicates: [], dates: new Map() }
  for (const [section, value] of Object.entries(raw)) {
    resolveSection(filters, section, value, [section], found)
  }
  return found
}

/** Every violation of the filter is in `violations`; `filter` means something only when there is none. */
export const resolveFilter = (
  resource: Resource,
  raw: JsonObject,
  now: Date,
): { readonly filter: Filter; readonly violations: readonly Violation[] } => {
  const { record, alias = record } = resource
  const found = resolveSections(resource.filters, raw)
  const section = Object.hasOwn(raw, alias) ? alias : record
  if (alias !== record && Object.hasOwn(raw, alias) && Object.hasOwn(raw, record))
    found.violations.push({
      path: [alias],
      message: `not valid, it means the same as ${record}: send one of them`,
    })
  const attribute = resolveDateField(resource, section, found)
  const range: DateRange = { attribute, ...resolveBounds(found, section, now) }
  return { filter: { range, predicates: found.predicates }, violations: found.violations }
}
