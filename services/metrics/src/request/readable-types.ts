/** Which resource types a caller may read through the records of metrics. */
import type { Caller } from '@merx/access-token/caller'

/** Whether a type, as in `customers`, may be read. */
export type MayRead = (type: string) => boolean

/**
 * Everything for the roles of core. A custom role must be allowed to read the type without restrictions: metrics knows the
 * parts of orders as they are stored there, and could not tell which rows or fields of them were meant.
 */
export const mayReadOf = ({ role }: Caller): MayRead => {
  if (role?.kind !== 'custom') return () => true
  const types = new Set(
    role.permissions
      .filter(({ actions, restrictions = {} }) => actions.includes('read') && !restrictsReading(restrictions))
      .map(({ subject }) => subject),
  )
  return (type) => types.has(type)
}

/** Keys of restrictions that hold when something is read (docs/adr/0019-restrictions-of-custom-roles.md). */
const READING: Readonly<Record<string, readonly string[]>> = { rows: ['all', 'read'], fields: ['read'] }

const restrictsReading = (restrictions: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(restrictions).some(([name, parts]) => {
    const keys = READING[name]
    if (keys === undefined || typeof parts !== 'object' || parts === null) return true
    return keys.some((key) => key in parts)
  })
