/** Linkage of a write → column values: ids become numbers, and every target must exist where the writer can see it. */
import { foreignKeyOf, polymorphicKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Relationship, ToMany } from '@merx/jsonapi/relationships'
import type { WriteViolation, WriteOperation } from '@merx/jsonapi/rules'
import type { Identifier, SetChange, WriteRequest } from '@merx/jsonapi/write-request'
import type { Lookups } from './lookups.ts'

export interface ResolvedLinkage {
  readonly columns: Readonly<Record<string, unknown>>
  /** Sets to store in tables between types. */
  readonly links: readonly {
    readonly relationship: ToMany
    readonly targets: readonly number[]
    readonly change: SetChange
  }[]
  readonly violations: readonly WriteViolation[]
}

/** A sales channel can link only to what it sees; anybody else to all of the environment. */
export const resolveLinkage = async (
  request: WriteRequest,
  definition: ResourceDefinition,
  operation: WriteOperation,
  lookups: Lookups,
): Promise<ResolvedLinkage> => {
  const columns: Record<string, unknown> = {}
  const links: ResolvedLinkage['links'][number][] = []
  const violations: WriteViolation[] = []
  for (const [name, relationship] of relationshipsOf(definition)) {
    if (relationship.kind === 'toMany') {
      const sent = request.toMany.get(name)
      if (sent === undefined) continue
      const targets = await resolveMany(sent, relationship, lookups)
      links.push({ relationship, targets: targets.numbers, change: request.setChange ?? 'replace' })
      violations.push(...targets.missing.map((identifier) => missing(name, identifier)))
      continue
    }
    const isSent = request.toOne.has(name)
    const identifier = request.toOne.get(name) ?? null
    if (identifier === null) {
      if (relationship.required && (isSent || operation === 'create')) violations.push(blank(name))
      else if (isSent) Object.assign(columns, keyColumns(name, relationship, null))
      continue
    }
    const number = await lookups.linkable(identifier, relationship)
    if (number === undefined) violations.push(missing(name, identifier))
    else Object.assign(columns, keyColumns(name, relationship, { type: identifier.type, number }))
  }
  return { columns, links, violations }
}

type Named = readonly [name: string, relationship: Relationship]

const named = new WeakMap<ResourceDefinition, readonly Named[]>()

/** In the order of the definition. */
const relationshipsOf = (definition: ResourceDefinition): readonly Named[] => {
  const known = named.get(definition)
  if (known !== undefined) return known
  const list = Object.entries(definition.relationships)
  named.set(definition, list)
  return list
}

const resolveMany = async (identifiers: readonly Identifier[], relationship: ToMany, lookups: Lookups) => {
  const numbers = new Set<number>()
  const missing: Identifier[] = []
  for (const identifier of identifiers) {
    const number = await lookups.linkable(identifier, relationship)
    if (number === undefined) missing.push(identifier)
    else numbers.add(number)
  }
  return { numbers: [...numbers], missing }
}

const keyColumns = (
  name: string,
  relationship: Exclude<Relationship, ToMany>,
  key: { readonly type: string; readonly number: number } | null,
): Readonly<Record<string, unknown>> => {
  if (relationship.kind === 'toOne') return { [foreignKeyOf(name, relationship)]: key?.number ?? null }
  const columns = polymorphicKeyOf(name, relationship)
  return { [columns.type]: key?.type ?? null, [columns.id]: key?.number ?? null }
}

const blank = (relationship: string): WriteViolation => ({
  at: { relationship },
  error: 'blank',
  message: "can't be blank",
})

const missing = (relationship: string, { id }: Identifier): WriteViolation => ({
  at: { relationship },
  error: 'noent',
  message: "doesn't exist",
  value: id,
})
