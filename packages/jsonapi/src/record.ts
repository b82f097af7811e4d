/** A stored row on its way out: which resource it is, its public id, and what its included relationships lead to. */
import type { Row } from './attributes.ts'
import type { ResourceDefinition } from './define-resource.ts'

/** What a relationship leads to: one, nobody, or several. */
export type Linked = ResourceRecord | null | readonly ResourceRecord[]

/** A row on its way to a document, with what was read for it. */
export interface ResourceRecord {
  /** The concrete definition, also when the row was read through an abstract type. */
  readonly definition: ResourceDefinition
  /** Public id. */
  readonly id: string
  readonly row: Row
  /** Values of `loaded` attributes, by attribute name. */
  readonly loaded?: ReadonlyMap<string, unknown> | undefined
  /** Only relationships that were included; each then has linkage data. */
  readonly linked: ReadonlyMap<string, Linked>
}
