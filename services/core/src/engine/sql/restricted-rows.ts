/** Restrictions → conditions on rows: what a permission covers, whatever else the request's scope shows. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Restrictions, RowKey } from '@merx/jsonapi/restrictions'
import { compileRestrictions } from '../../access/restrictions.ts'
import type { CompiledRestrictions } from '../../access/restrictions.ts'
import { filterConditions } from './filter-tree.ts'
import { identifier, qualified } from './identifiers.ts'
import type { Statement } from './params.ts'
import { rowsOfType } from './relations.ts'
import type { Build } from './relations.ts'

/** What rows of `definition` under `alias` must satisfy by the restrictions of any of `keys`. */
export const restrictedRows = (
  definition: ResourceDefinition,
  alias: string,
  keys: readonly RowKey[],
  build: Build,
): readonly string[] => {
  const { restrictions } = build.scope
  if (restrictions === undefined) return []
  const { byType, broken } = compileRestrictions(restrictions, build.registry)
  const names = [definition.type, definition.memberOf ?? []].flat()
  if (names.some((name) => broken.has(name))) return ['false']
  const own = names.flatMap((name) => byType.get(name) ?? [])
  return [
    ...own.flatMap((restricted) => conditionsOf(restricted, alias, keys, build)),
    ...membersRestricted(definition, alias, keys, byType, build),
  ]
}

/** Rows of an abstract type are those of its members, so a member's restrictions hold there too. */
const membersRestricted = (
  { abstract }: ResourceDefinition,
  alias: string,
  keys: readonly RowKey[],
  byType: CompiledRestrictions['byType'],
  build: Build,
): readonly string[] => {
  if (abstract === undefined) return []
  return abstract.members.flatMap((member) => {
    const restricted = byType.get(member)
    const conditions = restricted === undefined ? [] : conditionsOf(restricted, alias, keys, build)
    if (conditions.length === 0) return []
    const isOther = `${qualified(alias, abstract.typeColumn)} <> ${build.params.add(member, 'text')}`
    return [`(${isOther} OR (${conditions.join(' AND ')}))`]
  })
}

/**
 * A restriction is judged by the rows as they are, not by what the caller may see of them: else a hidden related row
 * would count as none and could let its owner through.
 */
const conditionsOf = (
  { rows }: Restrictions,
  alias: string,
  keys: readonly RowKey[],
  { registry, scope, params }: Build,
): readonly string[] => {
  const { environmentId, organizationId, mode } = scope
  const build = { registry, params, scope: { environmentId, organizationId, mode } }
  return keys.flatMap((key) => filterConditions(rows[key] ?? [], alias, rowsOfType, build))
}

/**
 * The numbers, out of these, of the rows that the restrictions of `keys` cover. Undefined when they cover all, so that
 * nothing need be asked.
 */
export const selectCovered = (
  definition: ResourceDefinition,
  numbers: readonly number[],
  keys: readonly RowKey[],
  build: Build,
): Statement | undefined => {
  const restricted = restrictedRows(definition, 't', keys, build)
  if (restricted.length === 0) return undefined
  const { params } = build
  const among = `t.id = ANY(${params.add(numbers, 'bigint[]')})`
  const conditions = [...rowsOfType(definition, 't', build), ...restricted, among]
  return {
    text: `SELECT t.id FROM ${identifier(definition.table)} AS t WHERE ${conditions.join(' AND ')}`,
    values: params.values,
  }
}
