/** Types of the catalogue: the attributes, filters and nesting rules of each resource of the interface. Data, no behaviour. */
import type { Place } from './place.ts'

export const valueTypes = [
  'keyword',
  'text',
  'integer',
  'float',
  'boolean',
  'datetime',
  'array<string>',
] as const
export type ValueType = (typeof valueTypes)[number]

export const operators = [
  'value_count',
  'cardinality',
  'avg',
  'max',
  'min',
  'sum',
  'stats',
  'percentiles',
] as const
/** How the values of a field become one value of a bucket (metrics.md 5). */
export type Operator = (typeof operators)[number]

/** Operators whose value is one number, so that it can be compared by a condition. */
export const singleNumber: ReadonlySet<Operator> = new Set([
  'value_count',
  'cardinality',
  'avg',
  'max',
  'min',
  'sum',
])

/** Contract: exactly these are valid in a date_breakdown. */
export const dateBreakdownOperators = ['avg', 'max', 'min', 'sum', 'stats'] as const satisfies Operator[]

export const rangeOperators = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'gt_lt',
  'gte_lte',
  'gte_lt',
  'gt_lte',
] as const
/** Contract, "Valid comparison operators in filters", in its order. The last four take [low, high]. */
export type RangeOperator = (typeof rangeOperators)[number]

export const listOperators = ['in', 'not_in'] as const
export type ListOperator = (typeof listOperators)[number]

export const intervals = ['hour', 'day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

export const sortDirections = ['asc', 'desc'] as const
export type SortDirection = (typeof sortDirections)[number]

/** `path` is what the caller writes, `place` where the store keeps it. */
export interface Attribute {
  readonly path: string
  /** The path by the name of the record, when this attribute has it by the alias: of `cart.id` `order.id`. */
  readonly aliasOf?: string
  readonly type: ValueType
  readonly place: Place
  /** Resource types of core that it tells of, besides the type of its record. */
  readonly types: readonly string[]
  /** The column holds no NULL: an empty text there means that there is no value. */
  readonly isEmptyNone: boolean
  /** May group a breakdown. */
  readonly isBy: boolean
  /** May group a date_breakdown. */
  readonly isDateBy: boolean
  /** Empty when the attribute cannot be computed on. */
  readonly operators: readonly Operator[]
  readonly isSearchable: boolean
  /** May be a column of an export. */
  readonly isExportable: boolean
  readonly isSortable: boolean
}

export type FilterKey =
  | { readonly kind: 'date_bound'; readonly requires: string }
  | { readonly kind: 'date_field'; readonly values: readonly string[]; readonly default: string }
  | { readonly kind: 'section'; readonly section: string }
  | { readonly kind: 'boolean'; readonly attribute: Attribute }
  | { readonly kind: 'string'; readonly attribute: Attribute; readonly values: readonly string[] }
  | { readonly kind: 'query'; readonly attribute: Attribute }
  | {
      readonly kind: 'range'
      readonly attribute: Attribute
      readonly item: 'number' | 'integer' | 'datetime'
    }
  | ListKey

/** `string or integer`: text that callers may also write as a number; `email`: found however its letters are written. */
export type ListItem = 'string' | 'email' | 'integer' | 'string or integer'

export interface ListKey {
  readonly kind: 'list'
  readonly attribute: Attribute
  readonly item: ListItem
  readonly operators: readonly ListOperator[]
  /** The only items that mean something; undefined when any does. */
  readonly values?: readonly string[]
  /** `prefix`: an item stands for every value that starts with it. */
  readonly match: 'equal' | 'prefix'
  readonly itemLengthMin: number
}

/** Where the records of a resource are stored; several resources may share a table. */
export interface Table {
  readonly name: string
  /** What, after organization and mode, makes the primary key. It does not change in the life of a record. */
  readonly key: readonly Attribute[]
}

/** One resource of the interface, e.g. `orders`. */
export interface Resource {
  readonly name: string
  /** The entity that a record is, and the filter section that holds the date range: `order`. */
  readonly record: string
  /** Another name of that entity and section: a cart is an order that was not placed. */
  readonly alias?: string
  readonly table: Table
  /** The resource type that a custom role must be allowed to read. */
  readonly subject: string
  /** Statuses that make a record of the table part of the resource; undefined when all do. */
  readonly population?: readonly string[]
  readonly sortByDefault: Attribute
  /** Entities that can be asked for with `<entity>.*` in a search. */
  readonly wildcards: readonly string[]
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly filters: ReadonlyMap<string, ReadonlyMap<string, FilterKey>>
  /** Outer `by` → paths, or `<entity>.*`, that may not be nested in it. */
  readonly nestedByForbidden: ReadonlyMap<string, readonly string[]>
}

/** What is frequently bought together: an analysis over the orders (metrics.md 4.6). */
export interface Fbt {
  readonly resource: Resource
  readonly filters: Resource['filters']
  /** Kinds of line items that are found. */
  readonly itemTypes: readonly string[]
  readonly recordsMax: number
}

/** Every resource by its name in the path. */
export type Catalogue = ReadonlyMap<string, Resource>
