/** Types of a resolved request: names are attributes of the catalogue, defaults are filled in. */
import type {
  Attribute,
  Interval,
  ListOperator,
  Operator,
  RangeOperator,
  Resource,
  SortDirection,
} from '../catalogue/attribute.ts'
import type { CursorPosition } from './cursor.ts'
import type { TextExpression } from './text-query.ts'

export const kinds = ['breakdown', 'date_breakdown', 'stats', 'search', 'export'] as const
/** Query types of a resource, named as in the path. */
export type Kind = (typeof kinds)[number]

/** The first-level key that holds the query: the kind, but an export asks as a search does (metrics.md 4.5). */
export const bodyKeyOf = (kind: Kind): string => (kind === 'export' ? 'search' : kind)

/** Operands travel as text: decimals without exponent, integers, or ISO instants, by the attribute's type; two operands of `ne` are a span. */
export type Predicate =
  | { readonly op: 'is'; readonly attribute: Attribute; readonly value: boolean }
  | {
      readonly op: ListOperator
      readonly attribute: Attribute
      readonly match: 'equal' | 'prefix'
      readonly values: readonly string[]
    }
  | { readonly op: RangeOperator; readonly attribute: Attribute; readonly operands: readonly string[] }
  | { readonly op: 'query'; readonly attribute: Attribute; readonly expression: TextExpression }

/** Records whose `attribute` lies between both instants, both included. */
export interface DateRange {
  readonly attribute: Attribute
  readonly from: Date
  readonly to: Date
}

export interface Filter {
  readonly range: DateRange
  readonly predicates: readonly Predicate[]
}

export interface Measure {
  readonly field: Attribute
  readonly operator: Operator
}

export interface Condition {
  readonly operator: RangeOperator
  /** One decimal, or [low, high]. */
  readonly operands: readonly string[]
}

export interface Breakdown extends Measure {
  readonly by: Attribute
  readonly sort: SortDirection
  readonly limit: number
  readonly condition?: Condition
  readonly breakdown?: Breakdown
}

export interface DateBreakdown extends Measure {
  readonly by: Attribute
  readonly interval: Interval
  readonly breakdown?: Breakdown
}

export interface Search {
  readonly fields: readonly Attribute[]
  readonly limit: number
  readonly sort: SortDirection
  readonly sortBy: Attribute
  /** Where the page starts; undefined for the first page. */
  readonly after?: CursorPosition
  /** Ties a cursor to this caller, filter and order. */
  readonly fingerprint: string
}

export interface Export {
  readonly fields: readonly Attribute[]
  /** Whether texts are written so that a spreadsheet does not run them as formulas. */
  readonly escapesFormulas: boolean
  readonly sort: SortDirection
  readonly sortBy: Attribute
}

export type Asked =
  | { readonly kind: 'breakdown'; readonly breakdown: Breakdown }
  | { readonly kind: 'date_breakdown'; readonly dateBreakdown: DateBreakdown }
  | { readonly kind: 'stats'; readonly stats: Measure }
  | { readonly kind: 'search'; readonly search: Search }
  | { readonly kind: 'export'; readonly export: Export }

export type Query = Asked & { readonly resource: Resource; readonly filter: Filter }
