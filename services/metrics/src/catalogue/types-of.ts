/** Maps an attribute to the resource types of core whose data it shows, besides the type of its record. */
import { readFileSync } from 'node:fs'

type Types = Readonly<Record<string, readonly string[]>>

interface TypesData {
  /** By their path, as in `shipments.tags`; those that are not listed are the record itself, its organization or its market. */
  readonly entities: Types
  /** Those that tell of more than their entity. */
  readonly attributes: Types
}

const readTypes = (): TypesData =>
  JSON.parse(readFileSync(new URL('./types.json', import.meta.url), 'utf8')) as TypesData

export type TypesOf = (path: string) => readonly string[]

/** Reads a file; call it once, at start. Gives of `shipments.tags.name` shipments and tags. */
export const loadTypesOf = (): TypesOf => {
  const { entities, attributes } = readTypes()
  return (path) => {
    const names = path.split('.').slice(0, -1)
    const within = names.map((_, index) => names.slice(0, index + 1).join('.'))
    return [...new Set([...within.flatMap((entity) => entities[entity] ?? []), ...(attributes[path] ?? [])])]
  }
}
