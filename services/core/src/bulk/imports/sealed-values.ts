/**
 * Encrypts the attributes of import items that are never shown, such as passwords, until a worker hashes them. Hashing 10,000
 * passwords takes minutes, so it cannot be part of the request (docs/adr/0024-imports-and-exports.md).
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../../engine/registry.ts'
import type { SecretBox } from '../../engine/secret-box.ts'
import type { Item } from './import-item.ts'
import type { Importable } from './importable.ts'

interface MemberNames {
  /** Attributes that are never shown. */
  readonly secret: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
}

/** What the members of an item are called; of its nested items by relationship. */
export interface SecretNames {
  readonly own: MemberNames
  readonly nested: ReadonlyMap<string, MemberNames>
}

const namesOf = ({ attributes }: ResourceDefinition): MemberNames => ({
  attributes: new Set(Object.keys(attributes)),
  secret: new Set(
    Object.entries(attributes).flatMap(([name, { show, kind }]) =>
      show === 'never' && kind !== 'trigger' ? [name] : [],
    ),
  ),
})

export const secretNamesOf = (
  definition: ResourceDefinition,
  { children = [] }: Pick<Importable, 'children'>,
  registry: Registry,
): SecretNames => ({
  own: namesOf(definition),
  nested: new Map(
    children.flatMap((name) => {
      const relationship = definition.relationships[name]
      return relationship?.kind === 'toMany'
        ? [[name, namesOf(registry.require(relationship.target))] as const]
        : []
    }),
  ),
})

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const PASSWORD = /passw/i

/** A password under a name that is no attribute, such as a column `Password`: the item is refused, so its value is not kept. */
const withoutPasswords = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPasswords)
  if (!isItem(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      PASSWORD.test(name) ? null : withoutPasswords(inner),
    ]),
  )
}

type Replace = (name: string, value: unknown) => readonly (readonly [string, unknown])[]

const replaceIn = (item: Item, { secret, attributes }: MemberNames, replace: Replace): Item =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      if (secret.has(name)) return replace(name, value)
      if (attributes.has(name)) return [[name, value]]
      return [[name, PASSWORD.test(name) ? null : withoutPasswords(value)]]
    }),
  )

const replaceAll = (
  items: readonly Item[],
  { own, nested }: SecretNames,
  replace: Replace,
): readonly Item[] =>
  items.map((item) => {
    const ofNested = [...nested].flatMap(([name, names]) => {
      const children = item[name]
      if (!Array.isArray(children)) return []
      const replaced = children.map((child: unknown) =>
        isItem(child) ? replaceIn(child, names, replace) : child,
      )
      return [[name, replaced] as const]
    })
    return { ...replaceIn(item, own, replace), ...Object.fromEntries(ofNested) }
  })

const hasSecret = (item: Item, { own }: SecretNames): boolean => [...own.secret].some((name) => name in item)

/** The first items, with at most `max` that have a secret: a hash takes as long as many writes. */
export const upToSecrets = (items: readonly Item[], secrets: SecretNames, max: number): readonly Item[] => {
  const withSecrets = items.flatMap((item, at) => (hasSecret(item, secrets) ? [at] : []))
  return items.slice(0, withSecrets[max] ?? items.length)
}

/** The items without their secrets, as the file of an import shows them. */
export const withoutSecrets = (items: readonly Item[], secrets: SecretNames): readonly Item[] =>
  replaceAll(items, secrets, () => [])

/** The items with each secret value encrypted. */
export const sealSecrets = (
  items: readonly Item[],
  secrets: SecretNames,
  { seal }: Pick<SecretBox, 'seal'>,
): readonly Item[] => replaceAll(items, secrets, (name, value) => [[name, seal(value)]])

/** The items as sent. Throws when a value was not sealed with this key. */
export const openSecrets = (
  items: readonly Item[],
  secrets: SecretNames,
  { open }: Pick<SecretBox, 'open'>,
): readonly Item[] => replaceAll(items, secrets, (name, value) => [[name, open(value)]])
