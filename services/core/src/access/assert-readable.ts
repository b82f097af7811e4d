/**
 * A rendered document against the permission of its caller, once more and from the raw restrictions: what leaves the
 * service has no field that the caller may not read, whoever put the document together (style B13).
 */
import type { Caller } from '@merx/access-token/caller'
import { guestPermissions } from '@merx/access-token/sales-channel-permissions'
import { isPlainObject } from '@merx/jsonapi/filter-values'
import { isCustomer, isSalesChannel } from './caller-kinds.ts'

/** Throws an Error, which is a defect and never an answer. */
export const assertReadable = (document: unknown, caller: Caller): void => {
  const readable = readableBy(caller)
  if (readable.size === 0) return
  for (const resource of resourcesOf(document)) {
    const type = typeof resource['type'] === 'string' ? resource['type'] : ''
    const names = readable.get(type)
    const stray = names === undefined ? undefined : membersOf(resource).find((name) => !isAmong(name, names))
    if (stray !== undefined)
      throw new Error(`a document shows ${type}.${stray} to a caller who may not read it`)
  }
}

const readableBy = (caller: Caller): ReadonlyMap<string, readonly unknown[]> => {
  if (isSalesChannel(caller)) return isCustomer(caller) ? EVERYTHING : OF_GUESTS
  if (caller.role?.kind !== 'custom') return EVERYTHING
  return new Map(
    caller.role.permissions.flatMap(({ subject, restrictions }) => {
      const names = fieldsRead(restrictions)
      return names === undefined ? [] : [[subject, names] as const]
    }),
  )
}

/** Type → the fields that are shown of it; of a type that is not there, all. */
const EVERYTHING: ReadonlyMap<string, readonly unknown[]> = new Map()

const OF_GUESTS: ReadonlyMap<string, readonly unknown[]> = new Map(
  Object.entries(guestPermissions).flatMap(([type, { fields }]) =>
    fields === undefined ? [] : [[type, fields.read] as const],
  ),
)

const fieldsRead = (restrictions: unknown): readonly unknown[] | undefined => {
  const fields = isPlainObject(restrictions) ? restrictions['fields'] : undefined
  const read = isPlainObject(fields) ? fields['read'] : undefined
  return Array.isArray(read) ? (read as readonly unknown[]) : undefined
}

const resourcesOf = (document: unknown): readonly Record<string, unknown>[] => {
  if (!isPlainObject(document)) return []
  const { data, included } = document
  const parts: readonly unknown[] = [data, included]
  return parts
    .flatMap((part) => (Array.isArray(part) ? (part as readonly unknown[]) : [part]))
    .filter(isPlainObject)
}

const membersOf = ({ attributes, relationships }: Record<string, unknown>): readonly string[] =>
  [attributes, relationships].flatMap((members) => (isPlainObject(members) ? Object.keys(members) : []))

/** An amount brings its value in units and as text. */
const isAmong = (name: string, names: readonly unknown[]): boolean => {
  const amount = `${name.replace(/^formatted_/, '').replace(/_float$/, '')}_cents`
  return names.includes(name) || names.includes(amount)
}
