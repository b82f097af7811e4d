/** A parsed request query: names resolved to definitions, values typed, limits checked. What the store compiles. */
import type { Attribute } from './attributes.ts'
import type { ResourceDefinition } from './define-resource.ts'
import type { PolymorphicToOne, ToMany, ToOne } from './relationships.ts'

/** One relationship crossed on the way to a filtered attribute. */
export interface Step {
  readonly name: string
  readonly from: ResourceDefinition
  readonly relationship: ToOne | ToMany
  readonly to: ResourceDefinition
}

/** A filterable or sortable member of a resource. */
export type Field =
  | { readonly kind: 'id'; readonly name: 'id' }
  | { readonly kind: 'attribute'; readonly name: string; readonly attribute: Attribute }
  | { readonly kind: 'toOneKey'; readonly name: string; readonly relationship: ToOne }
  | { readonly kind: 'polymorphicKey'; readonly name: string; readonly relationship: PolymorphicToOne }

/** A field of the resource itself, or of one that relationships lead to. */
export interface FieldPath {
  readonly steps: readonly Step[]
  /** The resource that has the field. */
  readonly on: ResourceDefinition
  readonly field: Field
}

/** A row of a polymorphic relationship. */
export interface PolymorphicKey {
  readonly type: string
  readonly number: number
}

/** A filter's value in the type of its field. */
export type FilterScalar = string | number | boolean | Date | PolymorphicKey

/** How two values are compared. */
export type Comparison = 'eq' | 'not_eq' | 'lt' | 'lteq' | 'gt' | 'gteq'

/**
 * What one field must satisfy. A null field satisfies only `null`, `blank` (expected true) and `orNull`; the
 * negated tests leave nulls out, as SQL does.
 */
export type FilterTest =
  | {
      readonly kind: 'compare'
      readonly comparison: Comparison
      /** Whether one of the values is enough or all are needed. */
      readonly quantifier: 'any' | 'all'
      readonly values: readonly FilterScalar[]
      readonly orNull: boolean
    }
  | {
      readonly kind: 'like'
      readonly isNegated: boolean
      readonly quantifier: 'any' | 'all'
      /** SQL LIKE patterns, compared without regard to case; backslash escapes. */
      readonly patterns: readonly string[]
    }
  | { readonly kind: 'null'; readonly expected: boolean }
  | { readonly kind: 'blank'; readonly expected: boolean }
  | { readonly kind: 'containsJson'; readonly value: unknown }

/** A test, and the field it is made on. */
export interface FieldTest {
  readonly path: FieldPath
  readonly test: FilterTest
}

/** Tests of one filter parameter, joined; the filters of a request are all required. */
export interface Filter {
  readonly parameter: string
  readonly combinator: 'or' | 'and'
  readonly tests: readonly FieldTest[]
}

/** One key of the order. */
export interface Sort {
  readonly field: Field
  readonly isDescending: boolean
}

/** Relationship names of a resource to include, each with what to include from there. */
export interface IncludeTree {
  readonly [relationship: string]: IncludeTree
}

/** Type → names of attributes and relationships to return; a type that is absent is returned complete. */
export type Fieldsets = ReadonlyMap<string, ReadonlySet<string>>

/** Which page of a collection; `number` counts from 1. */
export interface Page {
  readonly number: number
  readonly size: number
}

/** What can be asked about one resource. */
export interface RetrieveQuery {
  readonly include: IncludeTree
  /** Whether includes were asked for at all: an empty parameter asks for an empty list of them (JSON:API 1.1, Inclusion). */
  readonly hasIncludes: boolean
  readonly fields: Fieldsets
}

/** What can be asked about a collection. */
export interface ListQuery extends RetrieveQuery {
  readonly filters: readonly Filter[]
  readonly sorts: readonly Sort[]
  readonly page: Page
  /** All parameters but the page, in the order links state them: filters first. Names and values are decoded. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}
