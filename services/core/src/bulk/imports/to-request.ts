/**
 * An item whose record is known → what to write of it; what the operation does not take is left out with a warning,
 * unless it was what the record was found by.
 */
import type { Row } from '@merx/jsonapi/attributes'
import { columnOf, foreignKeyOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteOperation } from '@merx/jsonapi/rules'
import { mayWrite } from '@merx/jsonapi/writable-members'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import type { Messages } from '../../engine/write/error-messages.ts'
import type { ImportItem } from './import-item.ts'
import type { RecordKey } from './match-existing.ts'

export interface ItemWrite {
  readonly request: WriteRequest
  readonly errors: Messages
  readonly warnings: Messages
}

const isTaken = (
  name: string,
  operation: WriteOperation,
  { attributes, relationships }: ResourceDefinition,
): boolean => {
  const attribute = attributes[name]
  if (attribute?.imported === true) return true
  const member = attribute ?? relationships[name]
  return member !== undefined && mayWrite(member.write, operation)
}

const leftAlone = (name: string): string =>
  `are written with a new record only, and were left out; import them as ${name}`

const isOfKey = (
  name: string,
  key: RecordKey | 'unknown' | undefined,
  { attributes, relationships }: ResourceDefinition,
): boolean => {
  if (typeof key !== 'object') return false
  const attribute = attributes[name]
  if (attribute !== undefined) return key.columns.includes(columnOf(name, attribute))
  const relationship = relationships[name]
  return relationship?.kind === 'toOne' && key.columns.includes(foreignKeyOf(name, relationship))
}

export const toRequest = (
  item: ImportItem,
  key: RecordKey | 'unknown' | undefined,
  before: Row | undefined,
  definition: ResourceDefinition,
): ItemWrite => {
  const operation = before === undefined ? 'create' : 'update'
  const { attributes, triggers, toOne, toMany } = item
  const warnings: Record<string, readonly string[]> = { ...item.warnings }
  const writable = <T>(sent: ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    const refused: string[] = []
    for (const name of sent.keys()) if (!isTaken(name, operation, definition)) refused.push(name)
    if (refused.length === 0) return sent
    for (const name of refused.filter((each) => !isOfKey(each, key, definition)))
      warnings[name] = [`cannot be written when a record is ${operation}d and was left out`]
    return new Map([...sent].filter(([name]) => !refused.includes(name)))
  }
  for (const [name, children] of item.nested)
    if (before !== undefined && children.length > 0) warnings[name] = [leftAlone(name)]
  const isMissing = item.id !== undefined && before === undefined
  return {
    request: {
      attributes: writable(attributes),
      triggers: writable(triggers),
      toOne: writable(toOne),
      toMany: writable(toMany),
    },
    errors: { ...item.errors, ...(isMissing || key === 'unknown' ? { id: ["doesn't exist"] } : {}) },
    warnings,
  }
}
