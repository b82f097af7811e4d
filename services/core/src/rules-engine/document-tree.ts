/** A JSON:API document → the nested JSON that rules are asked about. */
import type { SingleDocument } from '@merx/jsonapi/render-document'
import type { Json } from './facts.ts'

type Resource = NonNullable<SingleDocument['data']>

interface ResourceKey {
  readonly type: string
  readonly id: string
}

type Linkage = ResourceKey | readonly ResourceKey[] | null

const isKey = (linkage: ResourceKey | readonly ResourceKey[]): linkage is ResourceKey => 'id' in linkage

/** Relationship → what of it is included. */
interface Branches {
  [relationship: string]: Branches
}

/** `includes` are the paths with which the document was made. */
export const toTree = ({ data, included = [] }: SingleDocument, includes: readonly string[]): Json => {
  const byKey = new Map(included.map((resource) => [`${resource.type} ${resource.id}`, resource]))
  const branches: Branches = {}
  for (const path of includes) {
    let branch = branches
    for (const name of path.split('.').filter((part) => part !== '')) branch = branch[name] ??= {}
  }
  return data === null ? {} : toNode(data, branches, byKey)
}

const toNode = (
  { id, type, attributes, relationships = {} }: Resource,
  branches: Branches,
  byKey: ReadonlyMap<string, Resource>,
): Json => {
  const related = Object.entries(branches).map(([name, branch]): readonly [string, unknown] => {
    const linkage = (relationships[name]?.data ?? null) as Linkage
    const nodeOf = (key: ResourceKey): Json | null => {
      const found = byKey.get(`${key.type} ${key.id}`)
      return found === undefined ? null : toNode(found, branch, byKey)
    }
    if (linkage === null) return [name, null]
    return [name, isKey(linkage) ? nodeOf(linkage) : linkage.map(nodeOf).filter((node) => node !== null)]
  })
  return { ...attributes, id, type, ...Object.fromEntries<unknown>(related) }
}
