/** Types of a plan: what the engine is to compute, before it is SQL. Immutable: a pass returns a new plan. */
import type { Attribute, Interval, SortDirection, Table } from '../catalogue/attribute.ts'
import type { CursorPosition } from '../request/cursor.ts'
import type { Condition, DateRange, Measure, Predicate } from '../request/query.ts'

/** Which records may be read at all. Absent parts are filled in by passes; render refuses a plan without `environment`. */
export interface Reach {
  readonly table: Table
  readonly environment?: { readonly organizationId: string; readonly mode: string }
  /** Undefined: all markets. */
  readonly marketIds?: readonly string[]
  /** Undefined: all stores, and orders of none. */
  readonly storeId?: string
  readonly statuses?: readonly string[]
  /** Undefined: records of all times. */
  readonly range?: DateRange
  readonly predicates: readonly Predicate[]
}

/** What a level groups by; `interval` turns a date into the start of its interval. */
export interface Key {
  readonly attribute: Attribute
  readonly interval?: Interval
}

export interface LevelOrder {
  readonly by: 'value' | 'key'
  readonly direction: SortDirection
}

/** One level of nested buckets; its groups are the keys of all outer levels and its own. */
export interface Level {
  /** Undefined only in the single level of `stats`. */
  readonly key?: Key
  readonly measure: Measure
  readonly order: readonly LevelOrder[]
  /** Buckets kept inside each outer bucket. */
  readonly limit?: number
  readonly condition?: Condition
}

export interface AggregatePlan {
  readonly kind: 'aggregate'
  readonly reach: Reach
  /** Outermost first. */
  readonly levels: readonly Level[]
}

export interface SearchPlan {
  readonly kind: 'search'
  readonly reach: Reach
  readonly fields: readonly Attribute[]
  readonly order: readonly { readonly attribute: Attribute; readonly direction: SortDirection }[]
  /** Position of the last record of the page before; undefined for the first page. */
  readonly after?: CursorPosition
  /** Only records up to this sort date, in the direction of the sort; undefined for all of them. */
  readonly untilMs?: number
  readonly limit: number
}

/** All matching records in their order, read in two steps: which ones, then their fields a part at a time. */
export interface ExportPlan {
  readonly kind: 'export'
  readonly reach: Reach
  readonly fields: readonly Attribute[]
  readonly order: SearchPlan['order']
  /** One more than this many records is too many. */
  readonly recordsMax: number
}

/** Items bought in the orders that hold all of `itemIds`, those that most of them hold first. */
export interface FbtPlan {
  readonly kind: 'fbt'
  readonly reach: Reach
  readonly itemIds: readonly string[]
  readonly itemTypes: readonly string[]
  readonly limit: number
}

export type Plan = AggregatePlan | SearchPlan | ExportPlan | FbtPlan
