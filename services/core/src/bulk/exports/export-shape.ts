/** The includes, fields and filters of an export, as in the read interface. Pure. */
import { companionsOf } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { joinListValues } from '@merx/jsonapi/list-values'
import { fieldNames } from '@merx/jsonapi/parse-fields'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { ListQuery } from '@merx/jsonapi/query'
import type { Registry } from '../../engine/registry.ts'

/** Path of includes (empty for the exported type itself) → names to write; a path that is absent is written whole. */
export type FieldsByPath = ReadonlyMap<string, ReadonlySet<string>>

export interface ExportQuestion {
  readonly includes: unknown
  readonly fields: unknown
  readonly filters: unknown
}

/** The same filters and includes as a list request: throws AppErrors with every violation, as that would. */
export const toListQuery = (
  { includes, filters }: ExportQuestion,
  definition: ResourceDefinition,
  registry: Registry,
): ListQuery => {
  const parameters = Object.entries(toRecord(filters)).map(
    ([key, value]) => `${encodeURIComponent(`filter[q][${key}]`)}=${encodeURIComponent(toText(value))}`,
  )
  const paths = toTexts(includes)
  if (paths.length > 0) parameters.push(`include=${encodeURIComponent(paths.join(','))}`)
  return parseListQuery(parameters.join('&'), definition, registry)
}

/** Throws RangeError naming the first field that does not exist. */
export const toFields = (
  { fields, includes }: ExportQuestion,
  definition: ResourceDefinition,
  registry: Registry,
): FieldsByPath => {
  const byPath = new Map<string, Set<string>>()
  const whole = new Set<string>()
  for (const field of toTexts(fields)) {
    const at = field.lastIndexOf('.')
    const [path, name] = at < 0 ? ['', field] : [field.slice(0, at), field.slice(at + 1)]
    const owners = ownersOf(path, toTexts(includes), definition, registry)
    if (owners === undefined)
      throw new RangeError(`"${field}" is of "${path}", which is not among the includes`)
    if (name === '*') whole.add(path)
    else if (owners.some((owner) => fieldNames(owner).has(name))) {
      byPath.set(path, (byPath.get(path) ?? new Set()).add(name))
    } else throw new RangeError(`"${field}" is no field of ${owners.map(({ type }) => type).join(', ')}`)
  }
  for (const path of whole) byPath.delete(path)
  return byPath
}

/** Type → its fields that are asked for by name, a companion of an amount as the amount. Fields must exist. */
export const fieldsByType = (
  asked: ExportQuestion,
  definition: ResourceDefinition,
  registry: Registry,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const byType = new Map<string, Set<string>>()
  for (const [path, names] of toFields(asked, definition, registry)) {
    for (const owner of ownersOf(path, toTexts(asked.includes), definition, registry) ?? []) {
      const stored = [...names].map((name) => storedName(name, owner))
      byType.set(owner.type, new Set([...(byType.get(owner.type) ?? []), ...stored]))
    }
  }
  return byType
}

const storedName = (name: string, { attributes }: ResourceDefinition): string => {
  const amount = Object.entries(attributes).find(
    ([each, { kind }]) => kind === 'cents' && Object.values(companionsOf(each)).includes(name),
  )
  return amount?.[0] ?? name
}

const ownersOf = (
  path: string,
  includes: readonly string[],
  definition: ResourceDefinition,
  registry: Registry,
): readonly ResourceDefinition[] | undefined => {
  if (path === '') return [definition]
  if (!includes.some((include) => include === path || include.startsWith(`${path}.`))) return undefined
  let owners: readonly ResourceDefinition[] = [definition]
  for (const name of path.split('.')) {
    owners = owners.flatMap((owner) => {
      const relationship = owner.relationships[name]
      if (relationship === undefined) return []
      const types = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
      return types.map((type) => registry.require(type))
    })
  }
  return owners
}

export const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

const toRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const toText = (value: unknown): string => {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? joinListValues(value.map(String)) : JSON.stringify(value)
}
