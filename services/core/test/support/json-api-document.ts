/** What is wrong with a document of JSON:API 1.1: its shape, and what a schema cannot say. */
import { readFileSync } from 'node:fs'
import { ajv } from '@merx/validation/ajv'

const schema = JSON.parse(
  readFileSync(new URL('json-api-1.1.schema.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, unknown>>

const validate = ajv.compile(schema)

interface Identifier {
  readonly type: string
  readonly id: string
}

interface Resource extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<
    Record<string, { readonly data?: Identifier | null | readonly Identifier[] }>
  >
}

interface Document {
  readonly data?: Resource | null | readonly Resource[]
  readonly included?: readonly Resource[]
}

/** Empty when there is nothing wrong. */
export const violationsOfDocument = (document: unknown): readonly string[] => {
  if (!validate(document)) {
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`)
  }
  const { data, included } = document as Document
  const primary = toList(data)
  return [
    ...repeated([...primary, ...(included ?? [])]),
    ...(included === undefined ? [] : [...unlinked(primary, included), ...missing(primary, included)]),
    ...[...primary, ...(included ?? [])].flatMap(sharedNames),
  ]
}

const keyOf = ({ type, id }: Identifier): string => `${type}/${id}`

const toList = <T>(value: T | null | undefined | readonly T[]): readonly T[] => {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? (value as readonly T[]) : [value as T]
}

const linkageOf = ({ relationships = {} }: Resource): readonly Identifier[] =>
  Object.values(relationships).flatMap(({ data }) => toList(data))

/** Compound documents: not more than one resource object for each type and id. */
const repeated = (resources: readonly Resource[]): readonly string[] => {
  const keys = resources.map(keyOf)
  return [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))].map(
    (key) => `${key} is there twice`,
  )
}

/** Full linkage: every included resource is reached from primary data through linkage. */
const unlinked = (primary: readonly Resource[], included: readonly Resource[]): readonly string[] => {
  const byKey = new Map([...primary, ...included].map((resource) => [keyOf(resource), resource]))
  const reached = new Set(primary.map(keyOf))
  for (const key of reached) {
    const resource = byKey.get(key)
    for (const identifier of resource === undefined ? [] : linkageOf(resource)) reached.add(keyOf(identifier))
  }
  return included
    .filter((resource) => !reached.has(keyOf(resource)))
    .map((resource) => `${keyOf(resource)} is not linked`)
}

/** Core gives linkage only where it was asked to include, so what is linked is there. */
const missing = (primary: readonly Resource[], included: readonly Resource[]): readonly string[] => {
  const known = new Set([...primary, ...included].map(keyOf))
  return [...primary, ...included]
    .flatMap(linkageOf)
    .filter((identifier) => !known.has(keyOf(identifier)))
    .map((identifier) => `${keyOf(identifier)} is linked but not there`)
}

/** Fields share one name space. */
const sharedNames = (resource: Resource): readonly string[] =>
  Object.keys(resource.relationships ?? {})
    .filter((name) => name in (resource.attributes ?? {}))
    .map((name) => `${keyOf(resource)} has an attribute and a relationship "${name}"`)
