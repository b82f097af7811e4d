/** `relationships` of a write document → resource linkage by relationship name. */
import { AppError } from '@merx/errors/app-error'
import { isPlainObject } from './filter-values.ts'
import { limits } from './limits.ts'
import type { Report } from './query-string.ts'
import type { Registry } from './registry.ts'
import type { Relationship } from './relationships.ts'
import { escape, mayWrite, notAllowed } from './writable-members.ts'
import type { Identifier, ReadWrite, WriteRequest, WriteTarget } from './write-request.ts'

/** Reports unknown, read-only and prohibited relationships, and whatever is no linkage of theirs. */
export const parseRelationships = (
  sent: unknown,
  target: WriteTarget,
  report: Report,
): Pick<WriteRequest, 'toOne' | 'toMany'> & Pick<ReadWrite, 'unreadable'> => {
  const toOne = new Map<string, Identifier | null>()
  const toMany = new Map<string, readonly Identifier[]>()
  const unreadable = new Set<string>()
  if (sent === undefined) return { toOne, toMany, unreadable }
  if (!isPlainObject(sent)) {
    const detail = '"relationships" must be an object'
    report(new AppError('invalid_data_format', { detail, source: { pointer: '/data/relationships' } }))
    return { toOne, toMany, unreadable }
  }
  for (const [name, value] of Object.entries(sent)) {
    const pointer = `/data/relationships/${escape(name)}`
    const relationship = findWritable(name, pointer, target, report)
    if (relationship === undefined) continue
    const linkage = readLinkage(value, pointer, report)
    if (linkage === undefined) {
      unreadable.add(name)
      continue
    }
    const context = { pointer, report, types: acceptedTypes(relationship, target.registry) }
    if (relationship.kind === 'toMany') {
      const identifiers = readMany(linkage.data, context)
      if (identifiers === undefined) unreadable.add(name)
      else toMany.set(name, identifiers)
    } else {
      const identifier =
        linkage.data === null ? null : readIdentifier(linkage.data, `${pointer}/data`, context)
      if (identifier === undefined) unreadable.add(name)
      else toOne.set(name, identifier)
    }
  }
  return { toOne, toMany, unreadable }
}

/** The types that a linkage of the relationship may name. */
export const acceptedTypes = (relationship: Relationship, registry: Registry): readonly string[] => {
  if (relationship.kind === 'polymorphicToOne') return relationship.targets
  return [...new Set([relationship.target, ...registry.concreteTypesOf(relationship.target)])]
}

const findWritable = (
  name: string,
  pointer: string,
  { definition, operation, isSalesChannel }: WriteTarget,
  report: Report,
): Relationship | undefined => {
  const relationship = Object.hasOwn(definition.relationships, name)
    ? definition.relationships[name]
    : undefined
  const shown = `"${name.slice(0, 100)}"`
  let problem: string | undefined
  if (relationship === undefined) problem = `${shown} is no relationship of ${definition.type}`
  else if (relationship.write === 'never') problem = `${shown} is read-only`
  else if (!mayWrite(relationship.write, operation)) problem = `${shown} cannot be sent in this operation`
  else if (relationship.prohibited && isSalesChannel) problem = `${shown} cannot be sent by a sales channel`
  if (problem === undefined) return relationship
  report(notAllowed(pointer, problem))
  return undefined
}

interface Reading {
  readonly pointer: string
  readonly report: Report
  readonly types: readonly string[]
}

const readLinkage = (
  value: unknown,
  pointer: string,
  report: Report,
): { readonly data: unknown } | undefined => {
  if (isPlainObject(value) && 'data' in value) return { data: value['data'] }
  const detail = 'a relationship has the form {"data": {"type": …, "id": …}}'
  report(new AppError('invalid_links_object', { detail, source: { pointer } }))
  return undefined
}

const readMany = (data: unknown, reading: Reading): readonly Identifier[] | undefined => {
  const pointer = `${reading.pointer}/data`
  const violation = (detail: string) =>
    reading.report(new AppError('invalid_links_object', { detail, source: { pointer } }))
  if (!Array.isArray(data)) {
    violation('a to-many relationship takes a list of {"type", "id"}')
    return undefined
  }
  if (data.length > limits.linkagesMax) {
    violation(`at most ${limits.linkagesMax} resources can be linked at once, ${data.length} were given`)
    return undefined
  }
  const identifiers = data.map((item: unknown, at) => readIdentifier(item, `${pointer}/${at}`, reading))
  return identifiers.every((identifier) => identifier !== undefined) ? identifiers : undefined
}

const readIdentifier = (
  value: unknown,
  pointer: string,
  { report, types }: Reading,
): Identifier | undefined => {
  if (!isPlainObject(value) || typeof value['type'] !== 'string' || typeof value['id'] !== 'string') {
    const detail = 'a linkage has the form {"type": "…", "id": "…"}'
    report(new AppError('invalid_links_object', { detail, source: { pointer } }))
    return undefined
  }
  const { type, id } = value
  if (types.includes(type)) return { type, id }
  const detail = `"${type.slice(0, 100)}" cannot be linked here; allowed: ${types.join(', ')}`
  report(new AppError('type_mismatch', { detail, source: { pointer: `${pointer}/type` } }))
  return undefined
}
