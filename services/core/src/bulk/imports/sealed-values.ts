/**
 * Encrypts the attributes of import items that are never shown, such as passwords, until a worker hashes them. Hashing 10,000
 * passwords takes minutes, so it cannot be part of the request (docs/adr/0024-imports-and-exports.md).
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../../engine/registry.ts'
import type { SecretBox } from '../../engine/secret-box.ts'
import type { Item } from './import-item.ts'
import type { Importable } from './importable.ts'

/** Which members of an item are never shown; of its nested items by relationship. */
export interface SecretNames {
  readonly own: ReadonlySet<string>
  readonly nested: ReadonlyMap<string, ReadonlySet<string>>
}

const namesOf = ({ attributes }: ResourceDefinition): ReadonlySet<string> =>
  new Set(
    Object.entries(attributes).flatMap(([name, { show, kind }]) =>
      show === 'never' && kind !== 'trigger' ? [name] : [],
    ),
  )

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

type Replace = (name: string, value: unknown) => readonly (readonly [string, unknown])[]

const replaceIn = (item: Item, names: ReadonlySet<string>, replace: Replace): Item =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      names.has(name) ? replace(name, value) : [[name, value] as const],
    ),
  )

const replaceSecrets = (item: Item, { own, nested }: SecretNames, replace: Replace): Item => {
  const replaced = replaceIn(item, own, replace)
  const inner = [...nested].flatMap(([name, names]) => {
    const items = replaced[name]
    if (names.size === 0 || !Array.isArray(items)) return []
    return [
      [name, items.map((one: unknown) => (isItem(one) ? replaceIn(one, names, replace) : one))] as const,
    ]
  })
  return inner.length === 0 ? replaced : { ...replaced, ...Object.fromEntries(inner) }
}

const hasSecrets = ({ own, nested }: SecretNames): boolean =>
  own.size > 0 || [...nested.values()].some(({ size }) => size > 0)

const replaceAll = (items: readonly Item[], secrets: SecretNames, replace: Replace): readonly Item[] =>
  hasSecrets(secrets) ? items.map((item) => replaceSecrets(item, secrets, replace)) : items

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
