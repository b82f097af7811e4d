/** A resource as data. Everything about its wire form and its queries is derived from this; see the registry. */
import { instant, object, text } from './attributes.ts'
import type { Attribute } from './attributes.ts'
import type { Relationship } from './relationships.ts'
import type { Action, DeleteRule, Rule } from './rules.ts'

/** What can be done with a resource; one that is not listed answers 405. */
export type Operation = 'list' | 'retrieve' | 'create' | 'update' | 'delete'

/** What a definition file writes. See docs/how-to/add-a-resource.md. */
export interface ResourceDeclaration {
  readonly summary: string
  /** The Prisma model of the table, in camelCase; a test compares the two. */
  readonly model: string
  /** The table; named like the type by default. */
  readonly table?: string
  /** The path below /api; named like the type by default. */
  readonly path?: string
  /** One per environment: singular path without id, GET only, and no table of its own. */
  readonly singleton?: boolean
  readonly operations: readonly Operation[]
  /** What every row belongs to: one environment, or one organization with both of its environments. */
  readonly scope: 'environment' | 'organization'
  /** Rows of several types in one table: the column with the type, and the types. Such a type is only read. */
  readonly abstract?: { readonly typeColumn: string; readonly members: readonly string[] }
  /** The abstract type whose table (and ids) this type shares. */
  readonly memberOf?: string
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  /**
   * `filter[q][<name>]` → the filter that it stands for, `<attribute>_<predicate>`, or `<relationship>.<attribute>_<predicate>` over
   * a relationship that is no filter by itself.
   */
  readonly namedFilters?: Readonly<Record<string, string>>
  readonly actions?: Readonly<Record<string, Action>>
  readonly rules?: readonly Rule[]
  readonly onDelete?: DeleteRule
}

/** A declaration with every default filled in: what routes, schemas, SQL and documents are derived from. */
export interface ResourceDefinition {
  readonly type: string
  readonly summary: string
  readonly model: string
  readonly table: string
  readonly path: string
  readonly isSingleton: boolean
  readonly operations: readonly Operation[]
  readonly scope: 'environment' | 'organization'
  readonly abstract?: { readonly typeColumn: string; readonly members: readonly string[] }
  readonly memberOf?: string
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly relationships: Readonly<Record<string, Relationship>>
  readonly namedFilters: Readonly<Record<string, string>>
  readonly actions: Readonly<Record<string, Action>>
  readonly rules: readonly Rule[]
  readonly onDelete: DeleteRule
}

const REFERENCE_LENGTH_MAX = 255

/** The attributes of every type, after its own. `id` is no attribute in JSON:API but filters and sorts like one. */
export const commonAttributes: Readonly<Record<string, Attribute>> = {
  created_at: instant({ filter: true, sort: true }),
  updated_at: instant({ filter: true, sort: true }),
  reference: text({ write: 'always', max: REFERENCE_LENGTH_MAX, filter: true, sort: true }),
  reference_origin: text({ write: 'always', max: REFERENCE_LENGTH_MAX, filter: true, sort: true }),
  metadata: object({ write: 'always', default: {}, filter: true }),
}

/**
 * Declares a resource: the type is its JSON:API type, plural and snake_case. Common attributes are added. What only
 * the other definitions can tell (targets, inverses) is checked by `createRegistry`.
 *
 * @example defineResource('merchants', { summary: 'Who sells.', model: 'merchant', operations: ['list'], … })
 */
export const defineResource = (type: string, declaration: ResourceDeclaration): ResourceDefinition => ({
  type,
  summary: declaration.summary,
  model: declaration.model,
  table: declaration.table ?? declaration.memberOf ?? type,
  path: declaration.path ?? type,
  isSingleton: declaration.singleton ?? false,
  operations: declaration.operations,
  scope: declaration.scope,
  ...(declaration.abstract === undefined ? {} : { abstract: declaration.abstract }),
  ...(declaration.memberOf === undefined ? {} : { memberOf: declaration.memberOf }),
  attributes: { ...declaration.attributes, ...commonAttributes },
  relationships: declaration.relationships ?? {},
  namedFilters: declaration.namedFilters ?? {},
  actions: declaration.actions ?? {},
  rules: declaration.rules ?? [],
  onDelete: declaration.onDelete ?? { refuseWhile: [] },
})
