/** The type of an area: its resources, and the facts about their types that the engine needs. */
import type { Caller } from '@merx/access-token/caller'
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { ReadScope } from '../access/request-scope.ts'
import type { IndexedType } from './bitmap-index/indexed-types.ts'
import type { Reading } from './read/read-includes.ts'
import type { OpenRecord } from './read/records.ts'
import type { SecretBox } from './secret-box.ts'
import type { ColumnValues } from './sql/column-values.ts'
import type { Build } from './sql/relations.ts'
import type { Command } from './write/commands.ts'
import type { Reaction } from './write/react.ts'
import type { WriteExtension, WriteWorkflow } from './write/write-workflow.ts'

export type ByName<Value> = Readonly<Record<string, Value>>

/**
 * The conditions, besides the environment, under which a request sees a row of a type under `alias`: SQL from the
 * request's scope, so that counts, pages, includes, related endpoints and filters agree. No condition: all rows.
 */
export type Visibility = (alias: string, build: Build) => readonly string[]

/** How target rows belong to an owner row of a relationship that no column stores. `from` is the owner's definition. */
export type VirtualRelationship = (
  aliases: { readonly owner: string; readonly target: string },
  build: Build,
  from: ResourceDefinition,
) => readonly string[]

/** A row that a computed relationship leads to, with columns that only this way of reading it has. */
export interface RelatedPair {
  readonly owner: number
  readonly target: number
  readonly columns?: Row
}

/** What SQL cannot decide: code reads what the owners lead to. `rows` has those that were read already, by number. */
export type ComputedRelationship = (
  owners: { readonly numbers: readonly number[]; readonly rows: ReadonlyMap<number, Row> },
  reading: Pick<Reading, 'run' | 'scope' | 'registry'>,
) => Promise<readonly RelatedPair[]>

/** Of one owner: the conditions of the rows that it leads to, so that SQL cuts the pages of a list of any length. */
export type PagedRelationship = (
  owner: number,
  reading: Pick<Reading, 'run' | 'scope'>,
) => Promise<Visibility>

/** The value of a `loaded` attribute, with a query of its own. */
export type AttributeLoader = (
  record: OpenRecord,
  reading: Pick<Reading, 'run' | 'scope'>,
) => Promise<unknown>

/** What records of a type show in place of their columns, all of a document at once; it may read. */
export type Presentation = (records: readonly OpenRecord[], reading: Reading) => Promise<void>

/** The columns by which a row, such as an attachment or a version, belongs to a record of any type. */
export interface ParentColumns {
  readonly type: string
  readonly number: string
  /** The row repeats values of the record's fields, so restricted fields hide it. */
  readonly repeatsFields?: true
  /** The row is a log entry; nothing is logged about it or attached to it. */
  readonly isLog?: true
}

export interface CreateContext {
  readonly caller: Caller
  readonly reading: Reading
  /** Application and owner behind the write. */
  readonly actor: Row
  readonly readScope: ReadScope
  /** For values that are stored until a worker needs them, such as passwords. */
  readonly secretBox: Pick<SecretBox, 'seal'>
}

/** The rest of a request that the engine stores, and columns that no request can send. */
export interface PreparedCreate {
  readonly request: WriteRequest
  readonly columns: ColumnValues
}

/** Checks and completes a new record before the engine validates it. Throws AppErrors. */
export interface BeforeCreate {
  readonly run: (request: WriteRequest, context: CreateContext) => Promise<PreparedCreate>
  /** Attributes that only `run` can validate; the engine ignores them when `run` refused the request. */
  readonly ownAttributes: readonly string[]
}

/** Column → what its index on lower(column) serves: prefixes of codes, or equality. */
export type LowerIndexes = ByName<'prefix' | 'equality'>

export interface Area {
  readonly resources: readonly ResourceDefinition[]
  /** Type → its visibility; a type that is not listed is visible in all of its environment. */
  readonly visibility?: ByName<Visibility>
  /** Type → what surrounds the write of a row. */
  readonly workflows?: ByName<WriteWorkflow>
  /** Type → its commands, in the order in which they run when one request starts several. */
  readonly commands?: ByName<readonly Command[]>
  /** Topic of any area → what follows from its event in the same transaction, after what earlier areas say. */
  readonly reactions?: ByName<Reaction>
  /** Type → the events that its writes may emit, as `<type>.<event>`; a write that emits another one fails. */
  readonly topics?: ByName<readonly string[]>
  /** Type → how its rows name the record they belong to. */
  readonly parents?: ByName<ParentColumns>
  readonly beforeCreate?: ByName<BeforeCreate>
  /** Type → what a customer may change only soon after signing in (docs/adr/0069-a-customers-new-password.md). */
  readonly recentSignIn?: ByName<readonly string[]>
  /** Type → the largest document, in bytes, where it differs from other types. */
  readonly bodyBytesMax?: ByName<number>
  /** Type → its sets in the bitmap index; a type that is not listed has none. */
  readonly indexed?: ByName<IndexedType>
  /** Types whose lists the response cache may repeat: triggers log every change of what they are made of. */
  readonly cachedLists?: readonly string[]
  /** Type → columns with an index on lower(column), and the tests that use it. */
  readonly lowerIndexes?: ByName<LowerIndexes>
  /** Name, as definitions use it → the relationship. */
  readonly virtualRelationships?: ByName<VirtualRelationship>
  /** Name, as definitions use it for `virtual` → the relationship, where code decides it. */
  readonly computedRelationships?: ByName<ComputedRelationship>
  /** Name of a virtual or computed relationship → how the pages of one owner are read. */
  readonly pagedRelationships?: ByName<PagedRelationship>
  /** Name, as definitions use it → the loader. */
  readonly attributeLoaders?: ByName<AttributeLoader>
  /** Type → what its records show in place of their columns, once all of a document were read. */
  readonly presentations?: ByName<Presentation>
  /** Types whose reads have the larger rate budget (core-conventions.md 10). */
  readonly cacheable?: readonly string[]
  /** What writes of many types change besides the row, such as tags. */
  readonly writeExtensions?: readonly WriteExtension[]
  /** The type whose rows are the change history of a record, paged by cursor. */
  readonly history?: string
}

/** The facts of all areas together. */
export interface AreaFacts {
  readonly visibility: ByName<Visibility>
  readonly workflows: ByName<WriteWorkflow>
  readonly commands: ByName<readonly Command[]>
  readonly reactions: ByName<readonly Reaction[]>
  readonly topics: ByName<readonly string[]>
  readonly parents: ByName<ParentColumns>
  readonly beforeCreate: ByName<BeforeCreate>
  readonly recentSignIn: ByName<readonly string[]>
  readonly bodyBytesMax: ByName<number>
  readonly virtualRelationships: ByName<VirtualRelationship>
  readonly computedRelationships: ByName<ComputedRelationship>
  readonly pagedRelationships: ByName<PagedRelationship>
  readonly attributeLoaders: ByName<AttributeLoader>
  readonly presentations: ByName<Presentation>
  readonly indexed: ByName<IndexedType>
  readonly cachedLists: ReadonlySet<string>
  readonly lowerIndexes: ByName<LowerIndexes>
  readonly cacheable: ReadonlySet<string>
  readonly writeExtensions: readonly WriteExtension[]
  readonly history: string | undefined
}
