/** The filters of an export, those of core's lists: an attribute, how it is compared, and a value. */
import { filtersOf } from './bulk-types.ts'

export interface ExportFilter {
  readonly name: string
  readonly predicate: string
  readonly value: string
}

const EMPTY = ['null', 'not_null'] as const

const TEXT = ['eq', 'not_eq', 'start', 'cont', ...EMPTY] as const
const ORDERED = ['eq', 'gteq', 'lteq', ...EMPTY] as const

const PREDICATES: Readonly<Record<string, readonly string[]>> = {
  text: TEXT,
  oneOf: ['eq', 'not_eq', ...EMPTY],
  boolean: ['true', 'false'],
  instant: ['gteq', 'lteq', ...EMPTY],
  integer: ORDERED,
  cents: ORDERED,
  float: ORDERED,
}

export const predicatesOf = (type: string, name: string): readonly string[] =>
  PREDICATES[filtersOf(type)[name] ?? 'text'] ?? TEXT

/** Those that say everything by themselves. */
export const takesNoValue = (predicate: string): boolean =>
  ['null', 'not_null', 'true', 'false'].includes(predicate)

export const newFilter = (type: string): ExportFilter => {
  const [name = 'created_at'] = Object.keys(filtersOf(type))
  return { name, predicate: predicatesOf(type, name)[0] ?? 'eq', value: '' }
}

/** A date of the page is the beginning of that day in UTC, as days are everywhere in Merx. */
const valueOf = (type: string, { name, predicate, value }: ExportFilter): string => {
  if (takesNoValue(predicate)) return 'true'
  return filtersOf(type)[name] === 'instant' ? `${value}T00:00:00Z` : value
}

/** What core takes, or the first filter that lacks its value. */
export const toFilters = (type: string, filters: readonly ExportFilter[]): Readonly<Record<string, string>> =>
  Object.fromEntries(filters.map((filter) => [`${filter.name}_${filter.predicate}`, valueOf(type, filter)]))

export const isComplete = ({ predicate, value }: ExportFilter): boolean =>
  takesNoValue(predicate) || value.trim() !== ''
