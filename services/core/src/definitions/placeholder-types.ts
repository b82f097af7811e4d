/**
 * Types that are known and not built yet: their fields may be named and their relationships included, and nothing is
 * there. placeholder-types.json has a line for each, with what documents of it will show. Building a type is its own
 * definition in place of that line.
 */
import { readFileSync } from 'node:fs'
import { computed } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { polymorphicToOne, toMany, toOne } from '@merx/jsonapi/relationships'
import type { Relationship, ToMany, ToOne } from '@merx/jsonapi/relationships'

type Link = { readonly include?: boolean } & (
  { readonly one: string } | { readonly many: string } | { readonly oneOf: readonly string[] }
)

interface PlaceholderType {
  readonly attributes: readonly string[]
  readonly relationships: Readonly<Record<string, Link>>
}

const known = JSON.parse(
  readFileSync(new URL('./placeholder-types.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, PlaceholderType>>

/** There is no row to read a key from; these are columns that the empty table has. */
const NO_KEY = { typeColumn: 'reference', idColumn: 'id' }

const toRelationship = ({ include = true, ...link }: Link): Relationship => {
  if ('oneOf' in link) return polymorphicToOne(link.oneOf, { ...NO_KEY, include })
  return 'one' in link
    ? toOne(link.one, { virtual: 'planned', include })
    : toMany(link.many, { virtual: 'planned', include })
}

/** No operation, no route, no rows. */
const placeholder = (type: string, { attributes, relationships }: PlaceholderType): ResourceDefinition =>
  defineResource(type, {
    summary: 'Not built yet.',
    model: 'plannedRecord',
    table: 'planned_records',
    planned: true,
    operations: [],
    scope: 'environment',
    attributes: Object.fromEntries(attributes.map((name) => [name, computed(() => null)])),
    relationships: Object.fromEntries(
      Object.entries(relationships).map(([name, link]) => [name, toRelationship(link)]),
    ),
  })

/** Definitions without operations, so that relationships have a target. */
export const placeholders: readonly ResourceDefinition[] = Object.entries(known).map(([type, facts]) =>
  placeholder(type, facts),
)

/** A relationship of a type that is built says so itself, so that it cannot stay empty by mistake. */
const requirePlaceholder = (type: string): void => {
  if (!Object.hasOwn(known, type)) throw new Error(`${type} is no line of placeholder-types.json`)
}

/** A to-many that stays empty until its type is built. */
export const noneOf = (target: string, flags: { readonly filter?: boolean } = { filter: true }): ToMany => {
  requirePlaceholder(target)
  return toMany(target, { virtual: 'planned', include: true, ...flags })
}

/** A to-one that stays null until its type is built, and that nobody sends. */
export const noOne = (target: string, flags: { readonly filter?: boolean } = { filter: true }): ToOne => {
  requirePlaceholder(target)
  return toOne(target, { virtual: 'planned', include: true, ...flags })
}
