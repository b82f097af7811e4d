/** What an export included in place of ids → the records that are meant, named by what is unique of them. Pure. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { isPlainObject } from '@merx/jsonapi/filter-values'
import type { NamedTargets } from './import-item.ts'

/** Undefined when the records have no unique attribute, or not all of them a value of it. */
export const includedTargets = (
  relationship: string,
  target: ResourceDefinition,
  value: unknown,
): NamedTargets | undefined => {
  const records: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const [attribute, { unique }] of Object.entries(target.attributes)) {
    if (!unique) continue
    const values = records.map((record) => (isPlainObject(record) ? record[attribute] : undefined))
    if (values.length > 0 && values.every(isName))
      return { relationship, target, attribute, values, isIncluded: true }
  }
  return undefined
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
