/** Definitions and relationships → FROM items and join conditions, each with its environment and visibility. */
import { foreignKeyOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { ToMany, ToOne } from '@merx/jsonapi/relationships'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RelatedPair } from '../area.ts'
import type { Registry } from '../registry.ts'
import { identifier, qualified } from './identifiers.ts'
import type { Params } from './params.ts'

/** What every part of a statement is built with. */
export interface Build {
  readonly registry: Registry
  readonly scope: RequestScope
  readonly params: Params
  /** What a computed relationship of this statement leads to. */
  readonly pairs?: readonly RelatedPair[]
}

/** All rows of a type: of the request's environment and, in a shared table, of the type. See visible-rows.ts for reads. */
export const rowsOfType = (
  definition: ResourceDefinition,
  alias: string,
  { params, registry }: Build,
): readonly string[] => [
  `${alias}.environment_id = ${params.environment}`,
  ...familyConditions(definition, alias, registry, params),
]

const familyConditions = (
  { type, memberOf, abstract }: ResourceDefinition,
  alias: string,
  registry: Registry,
  params: Params,
): readonly string[] => {
  if (abstract !== undefined) {
    return [`${qualified(alias, abstract.typeColumn)} = ANY(${params.add(abstract.members, 'text[]')})`]
  }
  const typeColumn = memberOf === undefined ? undefined : registry.require(memberOf).abstract?.typeColumn
  return typeColumn === undefined ? [] : [`${qualified(alias, typeColumn)} = ${params.add(type, 'text')}`]
}

export interface Link {
  /** A FROM item besides the target's own table, joined with `conditions`; absent when none is needed. */
  readonly bridge?: { readonly table: string; readonly alias: string }
  readonly conditions: readonly string[]
}

/** How rows of a relationship's target (under `target`) belong to a row of its owner (under `owner`). */
export const linkOf = (
  from: ResourceDefinition,
  name: string,
  relationship: ToOne | ToMany,
  aliases: { readonly owner: string; readonly target: string },
  build: Build,
): Link => {
  const { owner, target } = aliases
  const { virtual } = relationship
  if (virtual !== undefined) {
    const conditions =
      build.pairs === undefined
        ? build.registry.facts.virtualRelationships[virtual]?.({ owner, target }, build, from)
        : [isPair(owner, target, build.pairs, build.params)]
    if (conditions === undefined) throw new Error(`no virtual relationship is named "${virtual}"`)
    return { conditions }
  }
  if (relationship.kind === 'toOne') {
    return { conditions: [`${target}.id = ${qualified(owner, foreignKeyOf(name, relationship))}`] }
  }
  if (relationship.through !== undefined) {
    const { table, from: fromColumn, to } = relationship.through
    const alias = `${target}_link`
    return {
      bridge: { table: identifier(table), alias },
      conditions: [
        `${alias}.environment_id = ${build.params.environment}`,
        `${qualified(alias, fromColumn)} = ${owner}.id`,
        `${qualified(alias, to)} = ${target}.id`,
      ],
    }
  }
  return { conditions: inverseConditions(from, relationship, owner, target, build) }
}

const isPair = (owner: string, target: string, pairs: readonly RelatedPair[], params: Params): string => {
  const owners = params.add(
    pairs.map((pair) => pair.owner),
    'bigint[]',
  )
  const targets = params.add(
    pairs.map((pair) => pair.target),
    'bigint[]',
  )
  return `(${owner}.id, ${target}.id) IN (SELECT * FROM unnest(${owners}, ${targets}))`
}

const inverseConditions = (
  from: ResourceDefinition,
  { target: targetType, inverse = '' }: ToMany,
  owner: string,
  target: string,
  { registry, params }: Build,
): readonly string[] => {
  const key = inverseKeyOf(registry.require(targetType), inverse)
  const points = `${qualified(target, key.id)} = ${owner}.id`
  if (key.type === undefined) return [points]
  return [points, `${qualified(target, key.type)} = ${params.add(from.type, 'text')}`]
}

/** The columns of the to-one relationship that an inverse names. */
export const inverseKeyOf = (
  target: ResourceDefinition,
  inverse: string,
): { readonly id: string; readonly type?: string } => {
  const back = target.relationships[inverse]
  if (back === undefined || back.kind === 'toMany')
    throw new Error(`${target.type} has no to-one "${inverse}"`)
  return back.kind === 'toOne' ? { id: foreignKeyOf(inverse, back) } : polymorphicKeyOf(inverse, back)
}
