/**
 * Encrypts the attributes of import items that are never shown, such as passwords, until a worker hashes them. Hashing 10,000
 * passwords takes minutes, so it cannot be part of the request (docs/adr/0024-imports-and-exports.md).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import type { Importable } from './importable.ts'
import type { Item } from './read-inputs.ts'

export interface SealedValues {
  /** The items with each secret value encrypted. */
  seal(items: readonly Item[], secrets: SecretNames): readonly Item[]
  /** The items as sent. Throws when a value was not sealed with this key. */
  open(items: readonly Item[], secrets: SecretNames): readonly Item[]
}

/** Which members of an item are never shown; of its nested items by relationship. */
export interface SecretNames {
  readonly own: ReadonlySet<string>
  readonly nested: ReadonlyMap<string, ReadonlySet<string>>
}

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

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

/** The key is derived from the secret of ids, so that every replica seals and opens alike. */
export const createSealedValues = (secret: string): SealedValues => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'merx core import secrets', 32))
  const seal = (value: unknown): string => {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, key, iv)
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
  }
  const open = (sealed: unknown): unknown => {
    if (typeof sealed !== 'string') throw new TypeError('a secret of an import is not sealed')
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString('utf8'))
  }
  return {
    seal: (items, secrets) => replaceAll(items, secrets, (name, value) => [[name, seal(value)]]),
    open: (items, secrets) => replaceAll(items, secrets, (name, value) => [[name, open(value)]]),
  }
}
