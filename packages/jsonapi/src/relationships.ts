/** Relationship builders for definitions. Nothing is writable, includable, filterable or sortable by itself. */
import type { WritePolicy } from './attributes.ts'

/** What may be done with a relationship besides reading its links. */
export interface RelationshipFlags {
  readonly include?: boolean
  readonly filter?: boolean
  /** A related or linkage endpoint (`/skus/<id>/prices`); true by default. */
  readonly endpoint?: boolean
}

/** What a definition may say about a `toOne`. */
export interface ToOneOptions extends RelationshipFlags {
  /** Column with the target's number; `<name>_id` by default. */
  readonly column?: string
  readonly write?: WritePolicy
  readonly required?: boolean
  /** Allows `sort=<name>`, by the target's number. */
  readonly sort?: boolean
  /** A sales channel may never send it. */
  readonly prohibited?: boolean
  /** Not stored: the store's row source of this name says which row it is. */
  readonly virtual?: string
}

/** What a definition may say about a `toMany`. */
export interface ToManyOptions extends RelationshipFlags {
  /** The to-one (or polymorphic) relationship of the target that points back here. */
  readonly inverse?: string
  /** A table between the two: its column with this resource's number and the one with the target's. */
  readonly through?: { readonly table: string; readonly from: string; readonly to: string }
  /** Only with `through`: the set may be sent in writes and replaces the one stored. */
  readonly write?: WritePolicy
  readonly prohibited?: boolean
  /** Not stored: the store's row source of this name says which rows they are. */
  readonly virtual?: string
}

/** What a definition may say about a relationship to one of several types. */
export interface PolymorphicOptions extends RelationshipFlags {
  /** Column with the target's type, as on the wire; `<name>_type` by default. */
  readonly typeColumn?: string
  /** Column with the target's number; `<name>_id` by default. */
  readonly idColumn?: string
  readonly write?: WritePolicy
  readonly required?: boolean
  readonly prohibited?: boolean
}

interface Declared {
  readonly write: WritePolicy
  readonly required: boolean
  readonly include: boolean
  readonly filter: boolean
  readonly sort: boolean
  readonly prohibited: boolean
  readonly endpoint: boolean
}

/** A foreign key to one type. */
export interface ToOne extends Declared {
  readonly kind: 'toOne'
  readonly target: string
  readonly column?: string
  readonly virtual?: string
}

/** The other side of a foreign key, or a set in a table between two types. */
export interface ToMany extends Declared {
  readonly kind: 'toMany'
  readonly target: string
  readonly inverse?: string
  readonly through?: { readonly table: string; readonly from: string; readonly to: string }
  readonly virtual?: string
}

/** A foreign key with a column that says which type it leads to. */
export interface PolymorphicToOne extends Declared {
  readonly kind: 'polymorphicToOne'
  readonly targets: readonly string[]
  readonly typeColumn?: string
  readonly idColumn?: string
}

/** Any relationship; `kind` tells them apart. */
export type Relationship = ToOne | ToMany | PolymorphicToOne

const closed: Declared = {
  write: 'never',
  required: false,
  include: false,
  filter: false,
  sort: false,
  prohibited: false,
  endpoint: true,
}

/** At most one resource of `target`, found through a column of this row. */
export const toOne = (target: string, options: ToOneOptions = {}): ToOne => ({
  ...closed,
  ...options,
  kind: 'toOne',
  target,
})

/** Any number of resources of `target`: exactly one of `inverse`, `through` and `virtual` says which. */
export const toMany = (target: string, options: ToManyOptions): ToMany => ({
  ...closed,
  ...options,
  kind: 'toMany',
  target,
})

/** At most one resource of one of several types; the linkage carries the concrete type. */
export const polymorphicToOne = (
  targets: readonly string[],
  options: PolymorphicOptions = {},
): PolymorphicToOne => ({
  ...closed,
  ...options,
  kind: 'polymorphicToOne',
  targets,
})
