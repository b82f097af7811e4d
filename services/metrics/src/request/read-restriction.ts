/**
 * Reads the restrictions of a custom role on a subject as markets and a store. Any other restriction takes the permission
 * away: metrics does not know which orders it means, and sums over all would show what it hides.
 */
import type { Caller } from '@merx/access-token/caller'

/** Only what is listed; without a key all markets, all stores. */
export interface ReadRestriction {
  readonly marketIds?: readonly string[]
  readonly storeId?: string
}

type Values = Readonly<Record<string, unknown>>

/** Conditions on rows that hold when they are read (docs/adr, Restrictions of custom roles). */
const ROW_KEYS = ['all', 'read'] as const

/** Undefined when the caller may not read the subject here: no permission, or one with other restrictions. */
export const readRestrictionOf = (
  { application, role }: Caller,
  subject: string,
): ReadRestriction | undefined => {
  if (application.kind === 'sales_channel' || role === undefined) return undefined
  if (role.kind !== 'custom') return {}
  const permission = role.permissions.find((one) => one.subject === subject && one.actions.includes('read'))
  return permission === undefined ? undefined : toRestriction(permission.restrictions ?? {})
}

const toRestriction = (restrictions: Values): ReadRestriction | undefined => {
  const { rows = {}, fields = {}, ...unknown } = restrictions
  if (!isObject(rows) || !isObject(fields) || Object.keys(unknown).length > 0) return undefined
  if (fields['read'] !== undefined) return undefined
  const conditions = ROW_KEYS.map((key) => rows[key] ?? {})
  let restriction: ReadRestriction | undefined = {}
  for (const condition of conditions) {
    if (!isObject(condition)) return undefined
    for (const [name, value] of Object.entries(condition))
      restriction = restriction === undefined ? undefined : narrow(restriction, name, value)
  }
  return restriction
}

const narrow = (restriction: ReadRestriction, name: string, value: unknown): ReadRestriction | undefined => {
  const ids = idsOf(name, value)
  if (ids === undefined) return undefined
  if (name.startsWith('market_id')) return { ...restriction, marketIds: bothOf(restriction.marketIds, ids) }
  const [storeId = ''] = ids
  const isOther = restriction.storeId !== undefined && restriction.storeId !== storeId
  return isOther ? { marketIds: [], storeId } : { ...restriction, storeId }
}

/** A text may list ids by commas where the filter takes several, as in core. */
const idsOf = (name: string, value: unknown): readonly string[] | undefined => {
  if (name === 'market_id_in') {
    const list: unknown = typeof value === 'string' ? value.split(',') : value
    return Array.isArray(list) && list.every((id) => typeof id === 'string') ? list : undefined
  }
  const isOne = name === 'market_id_eq' || name === 'store_id_eq'
  return isOne && typeof value === 'string' ? [value] : undefined
}

/** What both allow; the second alone when the first allows all. */
export const bothOf = (first: readonly string[] | undefined, second: readonly string[]): readonly string[] =>
  first === undefined ? second : first.filter((id) => second.includes(id))

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
